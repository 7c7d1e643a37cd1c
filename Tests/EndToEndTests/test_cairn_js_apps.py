"""cairn.js as other people's apps get it: its types, its package, and the apps of docs/samples in a browser."""

import contextlib
import functools
import gzip
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import tarfile
import threading

import pytest

from browser import browser, expect
from server import ROOT, Server, run

CAIRN = ROOT / "Sources/CairnPlay/Resources/cairn"
SAMPLES = ROOT / "docs/samples"
LIBRARIES = ROOT / f".build/{os.uname().machine}-unknown-linux-gnu/share/cairn/play/lib"
#: Where Debian's packages of Node have their modules.
MODULES = "/usr/share/nodejs"
README_EXAMPLE = re.compile(r"```ts\n(.*?)```", re.DOTALL)


def ran(*command, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def types(tmp_path_factory):
    """The declarations. In one run of TypeScript all types of the page are checked, and an app and the README's."""
    folder = tmp_path_factory.mktemp("types")
    example = folder / "readme.ts"
    example.write_text(README_EXAMPLE.search((CAIRN / "README.md").read_text())[1])
    ran(ROOT / "scripts/js-types", "--page", "--declarations", folder / "made", ROOT / "Tests/PlayTests/strict.ts",
        example)
    return folder / "made"


@pytest.fixture(scope="module")
def packed(types, tmp_path_factory):
    """What `make cairn-js` makes."""
    folder = tmp_path_factory.mktemp("cairn-js")
    ran(ROOT / "scripts/cairn-js", "--to", folder, "--types", types)
    return folder


@pytest.fixture(scope="module")
def modules(packed, tmp_path_factory):
    """A folder of an app that has installed the package."""
    folder = tmp_path_factory.mktemp("app")
    with tarfile.open(next((packed / "dist").glob("*.tgz"))) as archive:
        archive.extractall(folder / "node_modules")
    (folder / "node_modules/package").rename(folder / "node_modules/cairn-js")
    return folder


# MARK: - Types and package


def test_all_types_fit_and_those_of_the_library_are_good_enough_for_a_strict_app(types):
    made = {path.name for path in types.glob("*.d.ts")}
    assert {path.with_suffix(".d.ts").name for path in CAIRN.glob("*.js")} <= made
    # An app sees no type that is nothing in particular where it looks most.
    text = (types / "client.d.ts").read_text()
    assert "get welcome(): " in text and "get welcome(): any" not in text and "Promise<any>" not in text


def test_the_package_is_whole_and_says_its_version(packed, modules):
    package = modules / "node_modules/cairn-js"
    manifest = json.loads((package / "package.json").read_text())
    assert manifest["version"] == run("--version").stdout.split()[-1]
    assert [path.name for path in (packed / "dist").glob("*.tgz")] == [f"cairn-js-{manifest['version']}.tgz"]
    # By its name, as an app's bundler and Node find it.
    spoken = ran(
        "node", "--input-type=module", "--eval", "console.log((await import('cairn-js')).PROTOCOL)", cwd=modules)
    assert manifest["cairn"]["protocol"] == int(spoken)
    named = [manifest["main"], manifest["types"], "README.md", "LICENCE.txt"]
    for place in manifest["exports"].values():
        named += place.values() if isinstance(place, dict) else [place]
    for name in named:
        assert (package / name).is_file(), name
    assert "LICENCE.txt" in manifest["license"] and (package / "LICENCE.txt").stat().st_size > 100
    # What modules import is there.
    for path in package.glob("*.js"):
        for name in re.findall(r"""from ["'](\.[^"']+)["']""", path.read_text()):
            assert (package / name).is_file(), (path.name, name)
    example = README_EXAMPLE.search((package / "README.md").read_text())[1]
    assert 15 <= len(example.strip().splitlines()) <= 25
    assert "VERSION" not in (package / "README.md").read_text()


def test_two_runs_make_the_same_bytes(packed, types, tmp_path):
    ran(ROOT / "scripts/cairn-js", "--to", tmp_path, "--types", types)
    for path in sorted((tmp_path / "dist").iterdir()):
        made = (packed / "dist" / path.name).read_bytes()
        assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(made).digest(), path.name


def test_the_one_file_has_all_exports_and_a_bounded_size(packed, modules):
    one = (packed / "dist/cairn.js").read_bytes()
    assert len(gzip.compress(one, 9)) < 36_000
    names = """import * as a from './index.js';
        import * as b from './cairn.js';
        const [modules, one] = [Object.keys(a).sort(), Object.keys(b).sort()];
        console.log(modules.join() === one.join(), one.length);"""
    said = ran("node", "--input-type=module", "--eval", names, cwd=modules / "node_modules/cairn-js").split()
    assert said[0] == "true" and int(said[1]) > 20


# MARK: - The apps of docs/samples, on a site of their own


class Site(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(packed, modules, tmp_path_factory, module_servers):
    """The samples, served from an address that is not the server's; with the server, which lets that one in."""
    folder = tmp_path_factory.mktemp("site")
    handler = functools.partial(Site, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{pages.server_port}"
        server = Server.start(
            tmp_path_factory.mktemp("world"), listen__originsAllowed=address, placement__perMinute=100,
            placement__areaQuota=100)
        module_servers.append(server)
        for sample in SAMPLES.glob("web-*"):
            shutil.copytree(sample, folder / sample.name)
            for path in (folder / sample.name).iterdir():
                path.write_text(path.read_text().replace("http://127.0.0.1:8080", server.http))
        put_three(folder / "web-three", packed)
        ran("esbuild", folder / "web-react/app.jsx", "--bundle", "--format=esm", "--log-level=warning",
            '--define:process.env.NODE_ENV="production"', f"--outfile={folder / 'web-react/app.js'}",
            env=os.environ | {"NODE_PATH": f"{modules / 'node_modules'}:{MODULES}"})
        yield address, server
        pages.shutdown()


def put_three(folder, packed):
    """cairn.js in one file, and three.js as its own package has it."""
    shutil.copy(packed / "dist/cairn.js", folder)
    shutil.copy(LIBRARIES / "three-r180.js", folder)
    used = sorted(set(re.findall(r"THREE\.(\w+)", (folder / "index.html").read_text())))
    (folder / "three.module.js").write_text(
        f"import {{ THREE }} from './three-r180.js';\nexport const {{ {', '.join(used)} }} = THREE;\n")


@contextlib.asynccontextmanager
async def app(site, name):
    """A page with the sample; nothing goes wrong on it."""
    async with browser() as chromium:
        page = await chromium.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("requestfailed", lambda asked: faults.append(f"{asked.url}: {asked.failure}"))
        await page.goto(f"{site[0]}/{name}/")
        yield page
        assert [fault for fault in faults if "favicon" not in fault and "404" not in fault] == []


OTHER = """async ([url, texts]) => {
    const { CairnClient, poseAt } = await import(url + '/play/cairn/index.js');
    const client = new CairnClient({ url, profile: { name: 'other-' + Date.now() } });
    await client.connect();
    const here = { lat: 47.3769, lon: 8.5417, h: 408 };
    await client.locate(here);
    await Promise.all(texts.map((text) => client.place('preset:heart', poseAt(here), { text })));
    client.disconnect();
}"""


async def test_the_plain_app_leaves_takes_away_and_survives_a_closed_database(site):
    async with app(site, "web-plain") as page:
        await expect(page.locator("#link")).to_have_text("Connected.")
        await page.get_by_label("Words on it").fill("<b>plain</b>")
        await page.get_by_role("button", name="Leave a heart").click()
        await expect(page.locator("#things li")).to_contain_text("<b>plain</b>, 0 m")
        # The browser closes the database, as iOS does in the background.
        session = await page.context.new_cdp_session(page)
        await session.send("Storage.clearDataForOrigin", {"origin": site[0], "storageTypes": "indexeddb"})
        await page.get_by_label("Words on it").fill("after it")
        await page.get_by_role("button", name="Leave a heart").click()
        await expect(page.locator("#things li")).to_have_count(2)
        await expect(page.locator("#problem")).to_have_text("")
        await page.get_by_role("button", name="Take “after it” away").click()
        await expect(page.locator("#things li")).to_have_count(1)


async def test_a_closed_database_is_opened_again_and_one_that_never_opens_is_not_waited_for(site):
    async with app(site, "web-plain") as page:
        told = await page.evaluate("""async (url) => {
            const { IndexedStore } = await import(url + '/play/cairn/index.js');
            // What browsers do to a connection, by the connection that the store has.
            const connections = [], open = indexedDB.open.bind(indexedDB);
            indexedDB.open = (...words) => {
                const opening = open(...words);
                opening.addEventListener('success', () => connections.push(opening.result));
                return opening;
            };
            const store = new IndexedStore('closed');
            const request = (key) => ({ key, kind: 'place', body: {}, account: 'a', ticket: 1, made: 1 });
            await store.putRequest(request('before'));
            connections[0].close();
            await store.putRequest(request('after'));
            const kept = (await store.load()).requests.map(({ key }) => key).sort();
            // Another tab deletes it: this one lets go of it, and begins anew.
            await new Promise((done, failed) => {
                const deleting = indexedDB.deleteDatabase('closed');
                deleting.onsuccess = done;
                deleting.onerror = deleting.onblocked = failed;
            });
            await store.putRequest(request('anew'));
            const anew = (await store.load()).requests.map(({ key }) => key);
            // One that never answers.
            indexedDB.open = () => ({});
            const stuck = new IndexedStore('stuck');
            const failure = await stuck.load().catch(({ name }) => name);
            const again = await stuck.load().catch(({ name }) => name);
            return { kept, anew, count: connections.length, failure, again };
        }""", site[1].http)
        assert told == {"kept": ["after", "before"], "anew": ["anew"], "count": 3, "failure": "TimeoutError",
                        "again": "TimeoutError"}


async def test_the_react_app_shows_one_moment_while_much_arrives(site):
    async with app(site, "web-react") as page:
        await expect(page.get_by_role("status")).to_have_text("Connected, 0 waiting")
        # Each state of the document, as it is when React has written it.
        await page.evaluate("""() => {
            window.torn = [];
            const shown = () => ['#above', '#below'].map((id) => document.querySelector(id).textContent)
                .concat(document.querySelectorAll('li').length);
            new MutationObserver(() => {
                if (new Set(shown().map(Number)).size > 1) window.torn.push(shown());
                window.drawn = (window.drawn ?? 0) + 1;
            }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }""")
        before = await page.locator("li").count()
        await page.evaluate(OTHER, [site[1].http, [f"heart {number}" for number in range(30)]])
        await expect(page.locator("li")).to_have_count(before + 30)
        await page.get_by_role("button", name="Leave a heart").click()
        await expect(page.locator("#above")).to_have_text(str(before + 31))
        assert await page.evaluate("window.torn") == [] and await page.evaluate("window.drawn") > 1
        mine = page.locator("li").filter(has_text="from React").first
        await mine.get_by_role("button", name="Like").click()
        await expect(mine).to_contain_text("like 1")


async def test_the_three_js_app_draws_things_where_they_are(site):
    async with app(site, "web-three") as page:
        await expect(page.get_by_role("status")).to_have_text("Tap to leave a heart before you.")
        await page.locator("canvas").click()
        found = await page.wait_for_function("""() => {
            const own = [...scene.children].find((one) => one.isMesh && client.view.instances.some(({ id, pose }) => (
                client.view.isOwn(id) && pose)) && one.material.color.getHex() === 0xd0303a);
            return own && own.position.toArray();
        }""")
        x, y, z = await found.json_value()
        # Five metres north and one up.
        assert abs(x) < 0.01 and abs(y - 1) < 0.01 and abs(z + 5) < 0.01
        await page.evaluate("client.remove(client.view.instances.find(({ id }) => client.view.isOwn(id)))")
        await page.wait_for_function("![...scene.children].some((one) => one.material?.color?.getHex() === 0xd0303a)")
