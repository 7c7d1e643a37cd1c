"""Whether a recorded page flashes (WCAG 2.3.1): what its luminance does, square by square."""

import base64
import contextlib

#: Squares of a picture, and by how much of full luminance one must change to count.
COLUMNS, ROWS, LEAST = 30, 20, 0.1

#: The relative luminance of the squares of a JPEG in base64. Runs in a page of its own: Python has no decoder here.
LUMINANCE = """async ([jpeg, columns, rows]) => {
    const bytes = Uint8Array.from(atob(jpeg), one => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const canvas = new OffscreenCanvas(columns, rows), context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, columns, rows);
    const { data } = context.getImageData(0, 0, columns, rows), found = [];
    const linear = one => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    for (let n = 0; n < data.length; n += 4) {
        found.push(0.2126 * linear(data[n]) + 0.7152 * linear(data[n + 1]) + 0.0722 * linear(data[n + 2]));
    }
    return found;
}"""


def turns(values, times):
    """When a square's luminance had changed by LEAST in the other direction than before."""
    found, extreme, way = [], values[0], 0
    for value, time in zip(values, times):
        change = value - extreme
        if abs(change) >= LEAST and (change > 0) != (way > 0) or way == 0 and abs(change) >= LEAST:
            found.append(time)
            way, extreme = (1 if change > 0 else -1), value
        elif way * change > 0:
            extreme = value
    return found


def flashing_area(pictures, times):
    """The largest part of the picture that changed more than three times within a second."""
    squares = [turns(values, times) for values in zip(*pictures)]
    worst = 0
    for end in times:
        busy = sum(sum(end - 1 < time <= end for time in square) > 3 for square in squares)
        worst = max(worst, busy / len(squares))
    return worst


@contextlib.asynccontextmanager
async def recording(page):
    """Records the page's pictures while the block runs: gives a list of (seconds, JPEG in base64)."""
    session, frames = await page.context.new_cdp_session(page), []

    async def taken(frame):
        frames.append((frame["metadata"]["timestamp"], frame["data"]))
        with contextlib.suppress(Exception):
            await session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", taken)
    await session.send("Page.startScreencast", {"format": "jpeg", "quality": 60, "maxWidth": 300, "maxHeight": 300})
    try:
        yield frames
    finally:
        await session.send("Page.stopScreencast")


async def luminances(chromium, frames):
    page = await chromium.new_page()
    try:
        return [await page.evaluate(LUMINANCE, [jpeg, COLUMNS, ROWS]) for _, jpeg in frames]
    finally:
        await page.close()
