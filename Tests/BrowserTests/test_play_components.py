"""The components of the page by themselves, without a server: list, card, form, sheet, dialog, message, marker."""

import pytest

from browser import expect
from pieces import piece


async def test_list_hasItsLines_orAQuietWord():
    async with piece("components/list") as page:
        await page.evaluate("""() => document.getElementById('page').append(
            list.list([list.line({ title: '<b>One</b>', note: 'here', href: '#/one', mark: 'thing' }),
                list.entry({ title: 'Two', note: 'there' }, 'acts')]),
            list.list([], 'Nothing yet.'))""")
        await expect(page.locator("#page li")).to_have_count(2)
        await expect(page.locator("#page a.line .line-title")).to_have_text("<b>One</b>")
        assert await page.locator("#page a.line").get_attribute("href") == "#/one"
        await expect(page.locator("#page .person")).to_have_text("Twothereacts")
        await expect(page.locator("#page > p.quiet")).to_have_text("Nothing yet.")


async def test_pages_areAskedForOneByOne_andARefusedOneAgain():
    async with piece("components/list") as page:
        await page.evaluate("""() => {
            const asked = window.asked = [], answers = { '': { items: [1, 2], next: 'b' }, b: { items: [3] } };
            const { element } = list.pages(async (after) => {
                asked.push(after);
                if (asked.length === 2) throw { code: 'try_again', message: 'Not now.' };
                return answers[after];
            }, (one) => list.line({ title: String(one) }), 'None.');
            document.getElementById('page').append(element);
        }""")
        more = page.locator("#page button")
        await expect(page.locator("#page li")).to_have_count(2)
        await more.click()
        await expect(page.locator(".refusal")).to_be_visible()
        await more.click()
        await expect(page.locator("#page li")).to_have_text(["1", "2", "3"])
        await expect(page.locator(".refusal")).to_have_count(0)
        await expect(more).to_be_hidden()
        assert await page.evaluate("() => asked") == ["", "b", "b"]


async def test_tabs_haveOneThatIsPressed():
    async with piece("components/list") as page:
        await page.evaluate("""() => {
            const one = list.tabs('Show', [['a', 'A'], ['b', 'B']], (name) => { window.chosen = name; }, 'b');
            document.getElementById('page').append(one.element);
            one.start();
        }""")
        assert await page.evaluate("() => chosen") == "b"
        await page.get_by_role("button", name="A").click()
        assert await page.evaluate("() => chosen") == "a"
        await expect(page.locator("[aria-pressed=true]")).to_have_text(["A"])


async def test_card_isCalledAsItsHeading_andHasParagraphs():
    async with piece("components/card") as page:
        await page.evaluate("""() => document.getElementById('page').append(
            card.section('Who', ...card.paragraphs('One\\n\\n# Two\\n\\nThree')), card.folded('More', {}, 'hidden'))""")
        await expect(page.get_by_role("region", name="Who").locator("p")).to_have_text(["One", "Three"])
        await expect(page.locator("section h3")).to_have_text(["Who", "Two"])
        await page.locator("summary").click()
        assert await page.locator("details").evaluate("one => one.open")


async def test_form_saysWhatIsMissing_thenSends_andKeepsWhatIsRefused():
    async with piece("components/form") as page:
        await page.evaluate("""() => {
            window.sent = [];
            document.getElementById('page').append(form.form([
                { name: 'name', label: 'Name', required: true, most: 5 },
                { name: 'open', label: 'Open', type: 'check' },
                { name: 'kind', label: 'Kind', type: 'select', choices: [['a', 'A'], ['b', 'B']], value: 'b' },
            ], 'Go', async (values) => {
                sent.push(values);
                if (values.name === 'Ada') {
                    throw { code: 'name_taken', message: 'name: is taken', details: { field: 'name' } };
                }
                return 'Done.';
            }));
        }""")
        go, name, refusal = page.get_by_role("button", name="Go"), page.get_by_label("Name"), page.locator(".refusal")
        await go.click()
        await expect(refusal).to_contain_text("Name")
        await expect(name).to_be_focused()
        await name.fill("Adalbert")
        await go.click()
        await expect(refusal).to_contain_text("8")
        assert await page.evaluate("() => sent") == []
        await name.fill("Ada")
        await page.get_by_label("Open").check()
        await go.click()
        await expect(refusal).to_contain_text("Name: is taken")
        await expect(name).to_have_value("Ada")
        await name.fill("Ben")
        await go.click()
        await expect(page.locator(".done")).to_have_text("Done.")
        await expect(refusal).to_have_count(0)
        assert await page.evaluate("() => sent[1]") == {"name": "Ben", "open": True, "kind": "b"}


async def test_slider_saysItsValue_alsoOneThatIsSetElsewhere():
    async with piece("components/form") as page:
        await page.evaluate("""() => {
            window.value = 3;
            window.one = form.slider('Far', { min: 0, max: 9, step: 1 }, () => value, (n) => { value = n; },
                (n) => `${n} m`);
            document.getElementById('page').append(one.element);
        }""")
        far = page.get_by_label("Far")
        assert (await far.input_value(), await far.get_attribute("aria-valuetext")) == ("3", "3 m")
        await far.press("ArrowRight")
        assert await page.evaluate("() => value") == 4
        await expect(page.locator("output")).to_have_text("4 m")
        await page.evaluate("() => { document.activeElement.blur(); value = 7; one.show(); }")
        assert await far.input_value() == "7"


async def test_sheet_givesTheFocusBack_andComesBackToWhatItLayOver():
    async with piece("components/sheet") as page:
        await page.evaluate("""() => {
            const button = document.createElement('button');
            document.getElementById('page').append(button);
            button.focus();
            const below = () => sheet.openSheet('Below', ['first'], { kind: 'below' });
            below();
            sheet.openSheet('Above', ['second', false, null], { kind: 'above', over: below });
        }""")
        shown = page.locator("#sheet")
        await expect(shown.locator("h2")).to_have_text("Above")
        await expect(shown.locator("h2")).to_be_focused()
        await expect(shown.locator(".sheet-body")).to_have_text("second")
        await page.keyboard.press("Escape")
        await expect(shown.locator("h2")).to_have_text("Below")
        await page.keyboard.press("Escape")
        await expect(shown).to_be_hidden()
        await expect(page.locator("#page button")).to_be_focused()


@pytest.mark.parametrize("act, answer", [
    ("button:has-text('Yes')", True), ("button:has-text('Cancel')", False), ("Escape", False), ("elsewhere", False)])
async def test_question_isAnsweredByYesAlone(act, answer):
    async with piece("components/dialog") as page:
        await page.evaluate("() => { window.answer = dialog.confirmed('Sure?', 'Yes'); }")
        asked = page.get_by_role("dialog", name="Sure?")
        await expect(asked).to_be_visible()
        if act == "Escape":
            await page.keyboard.press("Escape")
        elif act == "elsewhere":
            await page.evaluate("() => { location.hash = '#/tours'; }")
        else:
            await asked.locator(act).click()
        assert await page.evaluate("() => answer") is answer
        await expect(asked).to_have_count(0)


async def test_messages_areThreeAtMost_andARefusalSaysWhatMendsIt():
    async with piece("components/message") as page:
        await page.evaluate("""() => {
            for (const n of [1, 2, 3, 4]) message.toast(`No. ${n}`, { seconds: 600 });
        }""")
        await expect(page.locator(".toast > span")).to_have_text(["No. 2", "No. 3", "No. 4"])
        await page.evaluate("""() => {
            extensions.register([{ name: 'a', remedies: { not_signed_in: ['#/profile/signin', 'signIn'] } }]);
            message.refuse({ code: 'not_signed_in', message: 'Please sign in.' });
            document.getElementById('page').append(
                message.refused({ code: 'not_signed_in', message: 'Please sign in.' }));
        }""")
        assert await page.locator("#page .refusal a").get_attribute("href") == "#/profile/signin"
        await page.get_by_role("alert").filter(has_text="Sign in").locator("button.plain").first.click()
        assert await page.evaluate("() => location.hash") == "#/profile/signin"


async def test_marker_putsItsMarkOnTheMap_andTakesClicksOnlyIfAsked():
    async with piece("components/marker") as page:
        made = await page.evaluate("""() => {
            const made = [], leaflet = {
                divIcon: (options) => options, marker: (where, options) => made.push([where, options]) };
            marker.marker(leaflet, [1, 2], marker.mark('thing mine', 'preset:star', 'more'));
            marker.marker(leaflet, [3, 4], marker.mark('person'),
                { size: 0, box: 'own', interactive: true, keyboard: true });
            return made.map(([where, { icon: { html, ...icon }, ...options }]) =>
                [where, { ...icon, html: [html.className, html.children.length, html.textContent] }, options]);
        }""")
        assert made == [
            [[1, 2], {"className": "mark-box", "iconSize": [30, 30], "html": ["mark thing mine", 1, "more"]},
             {"keyboard": False, "interactive": False}],
            [[3, 4], {"className": "own", "iconSize": [0, 0], "html": ["mark person", 0, ""]},
             {"keyboard": True, "interactive": True}]]


async def test_markers_areWhatIsAroundAndWhatFeaturesAdd_mergedWhereTheyOverlap():
    async with piece("core/app", "core/view", "map/markers") as page:
        found = await page.evaluate("""async () => {
            await app.makeClient();
            const own = (n, kind) =>
                view.itemAt(kind, `${kind}:${n}`, { name: `${kind} ${n}` }, { lat: n / 9, lon: 0 });
            let shown = 200;
            extensions.register([{ name: 'a', kinds: { tour: { drawing: () => 'x' } },
                drawings: { x: { path: 'M1 1' } }, items: () => [...Array(shown).keys()].map((n) => own(n, 'tour')) },
                { name: 'b', items: () => [own(1, 'stop')] }]);
            const elements = new Set(), leaflet = {
                layerGroup: () => ({ addTo: () => ({ clearLayers: () => {} }) }),
                latLng: (where) => where,
                divIcon: ({ html }) => html,
                marker: (where, { icon }) => {
                    const box = document.createElement('div'), made = {
                        getElement: () => box, getLatLng: () => ({ equals: ([lat]) => lat === where[0] }),
                        on: () => made, addTo: () => { elements.add(box); return made; },
                        remove: () => elements.delete(box),
                    };
                    box.append(icon);
                    return made;
                },
            };
            const edge = 256 * 2 ** 18, map = { getZoom: () => 18,
                getPixelBounds: () => ({ min: { x: 0, y: 0 }, max: { x: edge, y: edge } }) };
            const all = new markers.Markers(leaflet, map);
            all.draw();
            const many = elements.size, [first] = [...elements].filter((box) => box.querySelector('path'));
            const [group] = [...elements].filter((box) => box.querySelector('.mark-count'));
            const { computed } = all;
            all.draw();
            const again = all.computed - computed;
            shown = 3;
            all.draw();
            const few = elements.size, isKept = elements.has(first);
            const path = first.querySelector('path').getAttribute('d');
            all.clear();
            return { many, again, few, isKept, path, none: elements.size, label: first.getAttribute('aria-label'),
                group: [group.textContent.slice(0, 1), group.getAttribute('aria-label')] };
        }""")
        # The stop stands where one of the tours does. What has not changed is not computed again.
        assert found == {"many": 200, "again": 0, "few": 3, "isKept": True, "path": "M1 1", "none": 0,
                         "label": "tour: tour 0. ", "group": ["2", found["group"][1]]}
        assert "tour 1" in found["group"][1] and "stop 1" in found["group"][1]
