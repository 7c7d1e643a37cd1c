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


async def test_messages_areOneAtATime_refusalsFirst_andEachIsHeardOnce():
    """Of answers the newest counts; news wait; a refusal goes before all; nothing is said twice, nor after a reload."""
    async with piece("components/message") as page:
        shown = page.locator(".toast > span")
        await page.clock.install()
        # What a screen reader is told: each text that a live region gets.
        await page.evaluate("""() => {
            window.heard = [];
            window.seen = [];
            new MutationObserver(() => seen.push(document.querySelector('.toast > span')?.textContent)).observe(
                document.getElementById('toasts'), { childList: true });
            for (const id of ['said', 'warned']) new MutationObserver(() =>
                heard.push([id, document.getElementById(id).textContent])).observe(
                    document.getElementById(id), { childList: true });
            message.toast('News A', { isNews: true });
            message.toast('News B', { isNews: true, once: 'b' });
            message.toast('News A', { isNews: true });
        }""")
        await expect(shown).to_have_text(["News A"])
        await page.clock.run_for(2_500)
        for said in ("Placed.", "Removed."):
            await page.evaluate("text => { message.toast(text); }", said)
            await expect(shown).to_have_text([said])
        await page.evaluate("() => { message.toast('Refused.', { kind: 'bad' }); message.toast('Saved.'); }")
        await expect(shown).to_have_text(["Refused."])
        assert await page.locator("#toasts [role], #toasts [aria-live]").count() == 0
        # Whoever points at it reads on. Then it goes, and what was not read yet comes, in its order.
        await page.locator(".toast").hover()
        await page.clock.run_for(60_000)
        await expect(shown).to_have_text(["Refused."])
        await page.mouse.move(0, 0)
        await page.clock.run_for(30_000)
        await expect(shown).to_have_count(0)
        assert (await page.evaluate("() => seen"))[-5:] == ["Refused.", "Saved.", "News A", "News B", None]
        assert await page.evaluate("() => heard") == [
            ["said", "News A"], ["said", "Placed."], ["said", "Removed."], ["warned", "Refused."], ["said", "Saved."],
            ["said", "News B"]]
        # One that ends nothing stays until it is closed.
        await page.evaluate("""() => {
            message.refuse({ code: 'x', message: 'No way.' }, { text: 'Again', run: () => {} });
            message.toast('Later', { isNews: true });
        }""")
        await page.clock.run_for(600_000)
        await expect(shown).to_have_text(["No way."])
        await page.locator(".toast").get_by_role("button", name="Close").click()
        await expect(shown).to_have_text(["Later"])
        await page.reload()
        await page.evaluate("() => import('/play/js/components/message.js').then(({ toast }) => { "
                            "toast('News B', { isNews: true, once: 'b' }); })")
        await expect(shown).to_have_count(0)


async def test_aRefusal_saysWhatMendsIt():
    async with piece("components/message") as page:
        await page.evaluate("""() => {
            extensions.register([{ name: 'a', remedies: { not_signed_in: ['#/profile/signin', 'signIn'] } }]);
            message.refuse({ code: 'not_signed_in', message: 'Please sign in.' });
            document.getElementById('page').append(
                message.refused({ code: 'not_signed_in', message: 'Please sign in.' }));
        }""")
        assert await page.locator("#page .refusal a").get_attribute("href") == "#/profile/signin"
        await page.locator(".toast").filter(has_text="Sign in").locator("button.plain").first.click()
        assert await page.evaluate("() => location.hash") == "#/profile/signin"


async def test_aButton_saysAtOnceThatItIsUnderWay_thenWhatIsDone_orWhyNot_whereItIs():
    async with piece("components/button", "components/dialog") as page:
        await page.evaluate("""() => {
            const { action, once } = button;
            window.calls = 0;
            const run = () => { calls += 1; return new Promise((resolve, reject) => { Object.assign(window,
                { resolve, reject }); }); };
            const place = Object.assign(document.createElement('p'), { id: 'place' });
            document.getElementById('page').append(action('Save', run), once('Ask', run), action('There', run, '',
                { place }), place);
        }""")
        save, ask, there = (page.get_by_role("button", name=name) for name in ("Save", "Ask", "There"))
        # At once: in the same turn as the tap.
        assert await save.evaluate("button => { button.focus(); button.click(); button.click(); "
                                   "return [button.ariaBusy, calls, document.activeElement === button]; }") == [
            "true", 1, True]
        ring = "button => [getComputedStyle(button, '::after').content, getComputedStyle(button).borderTopStyle]"
        assert await save.evaluate(ring) == ['""', "dashed"]
        await page.evaluate("() => reject({ code: 'x', message: 'Not so.' })")
        await expect(save.locator("+ .refusal")).to_have_text("Not so.")
        assert await save.get_attribute("aria-busy") is None
        # The next try takes the refusal away, and says what is done.
        await save.click()
        await expect(page.locator(".refusal")).to_have_count(0)
        await page.evaluate("() => resolve('Saved.')")
        await expect(save.locator("+ .done")).to_have_text("Saved.")
        await expect(page.get_by_role("status").filter(has_text="Saved.")).to_have_count(1)
        # What has done its work is not left standing; a refusal leaves it.
        await ask.click()
        await page.evaluate("() => reject({ code: 'x', message: 'Not so.' })")
        await expect(ask).to_be_visible()
        await ask.evaluate("button => { button.focus(); button.click(); }")
        await page.evaluate("() => resolve('Asked.')")
        await expect(ask).to_have_count(0)
        await expect(page.locator(".done").filter(has_text="Asked.")).to_be_focused()
        await there.click()
        await page.evaluate("() => reject({ code: 'x', message: 'Not so.' })")
        await expect(page.locator("#place .refusal")).to_have_text("Not so.")
        # What is drawn anew meanwhile leaves no place: then it is said in the place for messages.
        await there.click()
        await page.evaluate("() => { document.getElementById('page').replaceChildren(); "
                            "reject({ code: 'x', message: 'Too late.' }); }")
        await expect(page.locator(".toast")).to_contain_text("Too late.")
        # While a question is open nothing is under way yet.
        await page.evaluate("""() => {
            document.getElementById('page').append(button.action('Block', () => dialog.confirmed('Sure?', 'Yes')));
            document.querySelector('#page button').click();
        }""")
        await expect(page.get_by_role("dialog", name="Sure?")).to_be_visible()
        assert await page.locator("#page button").evaluate(ring) == ["none", "solid"]
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


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
            const edge = 256 * 2 ** 18, map = { getZoom: () => 18, getContainer: () => document.body,
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
                         "label": "tour: tour 0", "group": ["2", found["group"][1]]}
        assert "tour 1" in found["group"][1] and "stop 1" in found["group"][1]
