// Leaving a run: before its end after a question, and by itself at its end (TRT-10, TRT-11).

import { client } from "../core/app.js";
import { goIfStayed } from "../core/router.js";
import { metres, span, t } from "../core/texts.js";
import { confirmed } from "../components/dialog.js";
import { toast } from "../components/message.js";
import { forgetGroup } from "./group.js";
import { endRun, run } from "./run.js";

/** The walker leaves the run: one that is not at its end counts as not finished. */
export async function leave() {
  const isDone = run?.state === "RUN_STATE_COMPLETED";
  if (!isDone && !(await confirmed(t("run.leave.ask"), t("run.leave")))) return;
  const go = goIfStayed();
  const { metres: walked = 0, milliseconds = 0 } = await client.request("leaveRun");
  endRun();
  forgetGroup();
  if (isDone) {
    go("tours", "done");
    return;
  }
  toast(t("run.left", { distance: metres(walked), time: span(Number(milliseconds)) }), { seconds: 20 });
  go("tours");
}
