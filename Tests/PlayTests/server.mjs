// A server process to test against: $CAIRN_BIN, else the release build, that of the tests, or the debug build.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
const PROGRAM = process.env.CAIRN_BIN
    ?? ["release", "tested", "debug"].map((build) => `${ROOT}.build/${build}/cairn`).find((path) => existsSync(path));

/** Settings without travel limits, because clients of tests jump. */
const ANYWHERE = [
    'travel.speedMetresPerSecond=0', 'travel.cellsPerSecond=1000000', 'travel.cellsBurst=1000000',
    'placement.perMinute=100000', 'placement.perDay=100000', 'placement.areaQuota=100000',
];

/** @param {string[]} [settings] */
export async function startServer(settings = []) {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-play-'));
    const environment = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !name.startsWith('CAIRN_')));
    let port = 0;
    const server = { url: '', process: /** @type {any} */ (null), start, kill, stop };

    async function start() {
        const options = ['serve', '--open', '--port', String(port), '--data', join(folder, 'data')];
        const all = [`storage.keyFile=${folder}/key`, ...ANYWHERE, ...settings];
        for (const setting of all) options.push('--set', setting);
        server.process = spawn(/** @type {string} */ (PROGRAM), options, { env: environment });
        let told = '';
        await new Promise((resolve, reject) => {
            const hear = (/** @type {Buffer} */ data) => {
                told += data;
                const found = /(?:ws|http):\/\/127\.0\.0\.1:(\d+)/.exec(told);
                if (!found) return;
                port = Number(found[1]);
                server.url = `ws://127.0.0.1:${port}/v1`;
                resolve(undefined);
            };
            server.process.stdout.on('data', hear);
            server.process.stderr.on('data', hear);
            server.process.on('exit', (/** @type {number} */ code) => reject(new Error(`exit ${code}: ${told}`)));
        });
    }

    /** @param {NodeJS.Signals} signal */
    async function kill(signal = 'SIGKILL') {
        const gone = new Promise((resolve) => { server.process.once('exit', resolve); });
        server.process.kill(signal);
        await gone;
    }

    async function stop() {
        await kill('SIGTERM');
        rmSync(folder, { recursive: true, force: true });
    }

    await start();
    return server;
}
