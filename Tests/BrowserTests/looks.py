"""Scenes of the page, and what axe says of them in every look that a person can choose: two themes, five languages."""

import asyncio

from axe_playwright_python.base import AXE_SCRIPT

from browser import AXE, PATIENCE_MS
from playing import expect

LANGUAGES = ("en", "es", "fr", "hi", "zh")
THEMES = ("light", "dark")

# Chooses a value of a setting, as the page of settings does.
SAVE = "([key, value]) => part('core/settings').then(({ save }) => save(key, value))"

# Closes what the scene before has open, and goes to an address anew. Who cancels a drawing is led back to the editor
# first.
BEGINS = """async hash => {
    const { closeSheet, sheetKind } = await part('components/sheet');
    const isDrawing = sheetKind() === 'drawing';
    document.querySelector('dialog[open]')?.close('');
    closeSheet();
    while (isDrawing && location.hash === '#/map') await new Promise(requestAnimationFrame);
    document.activeElement.blur();
    if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = hash;
}"""

# Resolves when what was asked for is there, and what moves has ended. A button that asks a question waits for it.
SETTLED = """async () => {
    const isMoving = one => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime);
    for (let still = 0; still < 3; still++) {
        await new Promise(requestAnimationFrame);
        const isComing = document.querySelector('[aria-busy]:not(button, input, select)');
        if (isComing || document.getAnimations().some(isMoving)) still = 0;
    }
}"""

# The findings of axe in themes; the theme is an attribute of the document. A theme has colours of its own and nothing
# else, so from the second one on contrast alone is looked at.
FOUND = """async ([options, themes]) => {
    const found = [], root = document.documentElement;
    for (const theme of themes) {
        root.dataset.theme = theme;
        await Promise.allSettled(document.getAnimations().map(one => one.finished));
        const asked = theme === themes[0] ? options
            : { ...options, runOnly: { type: 'rule', values: ['color-contrast'] } };
        for (const { id, nodes } of (await axe.run(asked)).violations) {
            found.push([theme, id, nodes.map(({ html, failureSummary }) => [html.slice(0, 160), failureSummary])]);
        }
    }
    root.dataset.theme = themes[0];
    return found;
}"""


class Scene:
    """What a person sees at an address after some acts: a selector is clicked, `key:` is pressed, a pair of selector
    and text is filled in, and anything else is called with the player. At the end `shows` is there, else the place. No
    act needs the words of a language."""

    def __init__(self, *parts, acts=(), shows=None):
        self.parts, self.acts = parts, acts
        self.shows = shows or (f"#{parts[0]}" if parts[0] in ("map", "realm") else "#page .page-body > *")

    async def open(self, player):
        await player.page.evaluate(BEGINS, "#/" + "/".join(self.parts))
        for act in self.acts:
            if callable(act):
                await act(player)
            elif isinstance(act, tuple):
                await player.page.locator(act[0]).first.fill(act[1])
            elif act.startswith("key:"):
                await player.page.keyboard.press(act[4:])
            else:
                await player.page.locator(act).first.evaluate("element => element.click()")
        await expect(player.page.locator(self.shows).first).to_be_visible()


async def violations(player, scenes, languages=LANGUAGES):
    """Opens each scene in each language, and runs axe on it in both themes."""
    await player.page.evaluate(AXE_SCRIPT)
    await player.page.evaluate(SAVE, ["display.theme", "light"])
    found = []
    for language in languages:
        await player.page.evaluate(SAVE, ["accessibility.language", language])
        assert await player.page.evaluate("() => document.documentElement.lang") == language
        for name, scene in scenes.items():
            try:
                await scene.open(player)
                await asyncio.wait_for(player.page.evaluate(SETTLED), PATIENCE_MS / 1000)
            except Exception as error:
                raise AssertionError(f"{name} in {language} does not open") from error
            found += [(name, language, *one) for one in await player.page.evaluate(FOUND, [AXE, THEMES])]
    return found
