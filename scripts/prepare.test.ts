import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { isInstalled } from './install.mjs'

const root = dirname(import.meta.dirname)
/** What `npm start` uses before anything is installed: the machine's own Node where there is one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath

/** What npm writes for a project with these packages in folders of their own. */
function writeManifests(project: string, packages: { part: 'workspace'; tool?: 'development' }): void {
  const names = Object.keys(packages)
  const manifest = {
    name: 'whole',
    version: '1.0.0',
    workspaces: ['part'],
    ...(packages.tool && { devDependencies: { tool: 'file:tool' } }),
  }
  for (const name of names) {
    mkdirSync(join(project, name), { recursive: true })
    writeFileSync(join(project, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
  const links = names.map((name) => [`node_modules/${name}`, { resolved: name, link: true }])
  const folders = names.map((name) => [name, { version: '1.0.0', ...(name === 'tool' && { dev: true }) }])
  const listed = { '': manifest, ...Object.fromEntries([...links, ...folders]) }
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ name: 'whole', version: '1.0.0', lockfileVersion: 3, requires: true, packages: listed }),
  )
}

/** Installs `part` as npm does, in a twentieth of the time. */
const standInNpm = `
const { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { packages: { '': root, ...packages } } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules')
symlinkSync('../part', 'node_modules/part')
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`
const realNpm = { npm_execpath: '', npm_node_execpath: '', npm_config_offline: 'true' }

/** A project with one package that needs no network, our scripts, and a stand-in for npm. */
function makeProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'keepsnap-test-a project-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true, maxRetries: 5 }))
  cpSync(import.meta.dirname, join(project, 'scripts'), { recursive: true })
  writeManifests(project, { part: 'workspace' })
  mkdirSync(join(project, 'stand-in'))
  writeFileSync(join(project, 'stand-in', 'npm-cli.cjs'), standInNpm)
  return project
}

interface Outcome {
  code: number | null
  said: string
}

function begin(project: string, options: { words?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const child = spawn(oldNode, [join(project, 'scripts', 'prepare.mjs'), ...(options.words ?? [])], {
    cwd: project,
    env: {
      ...process.env,
      npm_execpath: join(project, 'stand-in', 'npm-cli.cjs'),
      npm_node_execpath: oldNode,
      NODE_ENV: 'production',
      PATH: path,
      ...options.env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const done: Promise<Outcome> = once(child, 'close').then(([code]) => ({ code: code as number | null, said })) // as documented for this event
  return { child, done, said: () => said }
}

const prepare = (project: string, words: string[] = []): Promise<Outcome> => begin(project, { words }).done
const prepareWithNpm = (project: string, words: string[] = []): Promise<Outcome> =>
  begin(project, { words, env: realNpm }).done

test('the first run installs, the second finds everything done', async () => {
  const project = makeProject()
  const first = await prepareWithNpm(project)
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/^Installing packages/) as string })
  expect(existsSync(join(project, 'node_modules', 'part', 'package.json'))).toBe(true)
  const second = await prepare(project)
  expect(second.said).toMatch(/^Ready to run on Node \d+\.\d+\.\d+\.\n$/)
  expect(await prepare(project, ['--quiet'])).toEqual({ code: 0, said: '' })
})

test('packages for development are added to an installation without replacing it', async () => {
  const project = makeProject()
  writeManifests(project, { part: 'workspace', tool: 'development' })
  const lockfile = readFileSync(join(project, 'package-lock.json'), 'utf8')
  const modules = join(project, 'node_modules')
  const inodes = () => [modules, join(modules, 'part')].map((path) => lstatSync(path).ino)
  await prepareWithNpm(project)
  const before = inodes()
  expect(existsSync(join(modules, 'tool'))).toBe(false)
  expect(await prepareWithNpm(project, ['--dev'])).toMatchObject({
    code: 0,
    said: expect.stringContaining('Installing') as string,
  })
  expect([existsSync(join(modules, 'tool')), inodes()]).toEqual([true, before])
  for (const words of [[], ['--dev']]) expect((await prepare(project, words)).said).not.toContain('Installing')
  expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toBe(lockfile)
})

test('a package that is missing is added, and what is installed is not emptied', async () => {
  const project = makeProject()
  writeManifests(project, { part: 'workspace', tool: 'development' })
  const modules = join(project, 'node_modules')
  const kept = join(modules, '.cache', 'kept')
  await prepareWithNpm(project, ['--dev'])
  mkdirSync(dirname(kept))
  writeFileSync(kept, '')
  rmSync(join(modules, 'tool'))
  expect((await prepareWithNpm(project, ['--dev'])).said).toContain('Installing')
  expect([join(modules, 'tool', 'package.json'), kept].map((path) => existsSync(path))).toEqual([true, true])
})

test('what npm installed on its own counts', async () => {
  const project = makeProject()
  spawnSync('npm', ['ci', '--offline'], { cwd: project })
  expect((await prepare(project)).said).not.toContain('Installing')
})

test.each([
  ['a half-done install', ['.package-lock.json']],
  ['a package that was removed', ['part']],
])('%s is noticed', async (_, removed) => {
  const project = makeProject()
  await prepare(project)
  for (const name of removed) rmSync(join(project, 'node_modules', name), { recursive: true })
  expect((await prepare(project)).said).toContain('Installing packages')
})

const elsewhere = { os: [process.platform === 'linux' ? 'darwin' : 'linux'], optional: true }
const here = { os: [process.platform], cpu: [process.arch], optional: true }
test.each([
  ['the same packages', { a: { version: '1.0.0' } }, { a: { version: '1.0.0' } }, true],
  ['another version', { a: { version: '1.0.0' } }, { a: { version: '1.0.1' } }, false],
  ['a missing package', { a: { version: '1.0.0' }, b: { version: '1.0.0' } }, { a: { version: '1.0.0' } }, false],
  ['a missing package of another platform', { a: { version: '1.0.0', ...elsewhere } }, {}, true],
  ['a missing package of another C library', { a: { version: '1.0.0', ...here, libc: ['musl'] } }, {}, true],
  ['a missing package of this platform', { a: { version: '1.0.0', ...here } }, {}, false],
  [
    'a package of another platform',
    { a: { version: '1.0.0', ...elsewhere } },
    { a: { version: '1.0.0', ...elsewhere } },
    false,
  ],
  [
    'a package for all but another platform',
    { a: { version: '1.0.0', os: ['!aix'] } },
    { a: { version: '1.0.0', os: ['!aix'] } },
    true,
  ],
])('%s in node_modules: recognized without our stamp file', (_, wanted, have, installed) => {
  const project = mkdtempSync(join(tmpdir(), 'keepsnap-test-'))
  onTestFinished(() => rmSync(project, { recursive: true }))
  const listed = (packages: object) =>
    JSON.stringify({
      packages: Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry])),
    })
  for (const name of Object.keys(have)) mkdirSync(join(project, 'node_modules', name), { recursive: true })
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  writeFileSync(join(project, 'package-lock.json'), listed(wanted))
  writeFileSync(join(project, 'node_modules', '.package-lock.json'), listed(have))
  expect(isInstalled(project)).toBe(installed)
})

/** A process that has the lock of the setup, as one that is preparing this folder. */
async function startLockOwner(project: string) {
  const owner = spawn(
    oldNode,
    [
      '--input-type=module',
      '-e',
      `import { lockSetup } from '${join(project, 'scripts', 'setup-lock.mjs').replaceAll(' ', '%20')}'; await lockSetup(process.argv[1], () => {}); console.log('locked'); setInterval(() => {}, 1000)`,
      project,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(owner.stdout, 'data')
  return owner
}

test('two concurrent runs wait, name the lock owner, and install once', async () => {
  const project = makeProject()
  const owner = await startLockOwner(project)
  const both = [begin(project), begin(project)]
  await Promise.all(both.map(({ child }) => once(child.stderr, 'data')))
  owner.kill('SIGKILL')
  const outcomes = await Promise.all(both.map(({ done }) => done))
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
  for (const { said } of outcomes)
    expect(said).toContain(`Waiting for process ${owner.pid}, which is preparing this folder ...`)
  const installations = outcomes.filter(({ said }) => said.includes('Installing packages'))
  expect(installations).toHaveLength(1)
  for (const { said } of outcomes) expect(said).toMatch(/\nReady/)
})

test('a process that is killed while preparing is followed at once by the one that waits', async () => {
  const project = makeProject()
  const owner = await startLockOwner(project)
  const waiting = begin(project)
  await once(waiting.child.stderr, 'data')
  expect(waiting.said()).toContain(`Waiting for process ${owner.pid}`)
  owner.kill('SIGKILL')
  expect(await waiting.done).toMatchObject({ code: 0, said: expect.stringContaining('Installing packages') as string })
})

test.each([
  ['EUSAGE', 'package.json and package-lock.json do not match'],
  ['ENOSPC', 'The disk is full'],
  ['ENOTFOUND', 'The package registry cannot be reached'],
  ['EACCES', 'This user cannot write here'],
])('an installation that fails with %s says so and what to do, and the next run repeats it', async (sign, hint) => {
  const project = makeProject()
  const broken = join(project, 'npm-cli.cjs')
  writeFileSync(broken, `console.error('npm error code ${sign}'); process.exit(1)`)
  const failed = await begin(project, { env: { npm_execpath: broken } }).done
  expect(failed.code).toBe(1)
  expect(failed.said).toContain(`npm error code ${sign}\nInstalling packages failed. ${hint}`)
  expect(await prepare(project)).toMatchObject({ code: 0, said: expect.stringContaining('Installing') as string })
})

test('a Node that is too old to run Keepsnap is named in one sentence', async () => {
  const project = makeProject()
  const bin = join(project, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nif [ "$1" = -p ]; then echo 20.1.0; else exec '${oldNode}' "$@"; fi\n`, {
    mode: 0o755,
  })
  const { code, said } = await begin(project, { env: { PATH: `${bin}:${process.env['PATH']}` } }).done
  expect(code).toBe(1)
  expect(said.split('\n').at(-2)).toMatch(
    /^Keepsnap needs Node 22\.18 or later to run, and this machine has 20\.1\.0\./,
  )
})

test('preparing ends when the npm that asked for it is gone', async () => {
  const project = makeProject()
  const slow = join(project, 'slow-npm-cli.js')
  writeFileSync(slow, 'setInterval(() => {}, 1000)')
  const script = join(project, 'scripts', 'prepare.mjs')
  const shell = spawn('sh', ['-c', '"$0" "$1" & wait', oldNode, script], {
    cwd: project,
    env: { ...process.env, npm_execpath: slow, npm_node_execpath: oldNode },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(shell.stderr, 'data')
  shell.kill('SIGKILL')
  // The pipe closes when the last of them has ended.
  await once(shell.stderr, 'close')
  expect(spawnSync('pgrep', ['-f', slow]).stdout.toString()).toBe('')
})

test('the web app is built when its sources, packages or settings changed, packed, and swapped in whole', async () => {
  const project = makeProject()
  const web = join(project, 'web')
  mkdirSync(web)
  mkdirSync(join(web, 'node_modules'))
  symlinkSync(join(root, 'node_modules', 'vite'), join(web, 'node_modules', 'vite'))
  const long = `document.body.append(${JSON.stringify('photo '.repeat(1_000))})`
  writeFileSync(join(web, 'index.html'), '<script type="module" src="/main.js"></script>')
  writeFileSync(join(web, 'main.js'), long)
  writeFileSync(
    join(web, 'vite.config.ts'),
    'export default { build: { rollupOptions: { output: { entryFileNames: "main.js" } } } }',
  )
  expect((await prepare(project)).said).toContain('Building the web app')
  const built = join(web, 'dist', 'main.js')
  const plain = readFileSync(built)
  expect(brotliDecompressSync(readFileSync(`${built}.br`))).toEqual(plain)
  expect(gunzipSync(readFileSync(`${built}.gz`))).toEqual(plain)

  expect((await prepare(project)).said).not.toContain('Building')
  expect((await begin(project, { env: { VITE_API_ORIGIN: 'https://api.example.com' } }).done).said).toContain(
    'Building',
  )
  writeFileSync(join(web, 'main.js'), 'this is no JavaScript')
  const before = statSync(built).ino
  const failed = await prepare(project)
  expect(failed).toMatchObject({
    code: 1,
    said: expect.stringMatching(/main\.js[\s\S]*Building the web app failed\./) as string,
  })
  expect(statSync(built).ino).toBe(before)
})
