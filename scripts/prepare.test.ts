import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'

const root = dirname(import.meta.dirname)
/** What `npm start` uses before anything is installed: the machine's own Node where there is one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath
const realPath = `${dirname(process.execPath)}:${process.env['PATH']}`

/** Installs what npm would install, in a twentieth of the time. */
const standInNpm = `
const { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { packages: { '': root, ...packages } } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules')
for (const folder of ['part', 'tool']) symlinkSync('../' + folder, 'node_modules/' + folder)
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

/** Puts a program with the name `npm` into the project's folder of programs. */
function writeNpm(project: string, script: string): void {
  mkdirSync(join(project, 'bin'), { recursive: true })
  writeFileSync(join(project, 'bin', 'npm.cjs'), script)
  writeFileSync(join(project, 'bin', 'npm'), `#!/bin/sh\nexec '${oldNode}' '${project}/bin/npm.cjs'\n`, { mode: 0o755 })
}

/** A project with a package, one for development, both in folders of their own, our scripts, and a stand-in for npm. */
function makeProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'keepsnap-test-a project-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true, maxRetries: 5 }))
  cpSync(import.meta.dirname, join(project, 'scripts'), { recursive: true })
  writeNpm(project, standInNpm)
  const version = '1.0.0'
  const write = (path: string, content: object): void => writeFileSync(join(project, path), JSON.stringify(content))
  for (const name of ['part', 'tool']) {
    mkdirSync(join(project, name))
    write(`${name}/package.json`, { name, version })
  }
  const manifest = { name: 'whole', version, workspaces: ['part'], devDependencies: { tool: 'file:tool' } }
  write('package.json', { ...manifest, type: 'module' })
  const links = ['part', 'tool'].map((name) => [`node_modules/${name}`, { resolved: name, link: true }])
  const packages = { '': manifest, ...Object.fromEntries(links), part: { version }, tool: { version, dev: true } }
  write('package-lock.json', { name: 'whole', version, lockfileVersion: 3, requires: true, packages })
  return project
}

function begin(project: string, words: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(oldNode, [join(project, 'scripts', 'prepare.mjs'), ...words], {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'production', PATH: `${project}/bin:${realPath}`, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const done = once(child, 'close').then(([code]: (number | null)[]) => ({ code, said }))
  return { child, done }
}

const prepare = (project: string, words: string[] = [], env: NodeJS.ProcessEnv = {}) => begin(project, words, env).done
const prepareWithNpm = (project: string, words: string[] = []) =>
  prepare(project, words, { PATH: realPath, npm_config_offline: 'true' })

test('the first run installs, the next ones find everything done or add what is missing, without replacing anything', async () => {
  const project = makeProject()
  const lockfile = readFileSync(join(project, 'package-lock.json'), 'utf8')
  const modules = join(project, 'node_modules')
  const inodes = () => [modules, join(modules, 'part')].map((path) => lstatSync(path).ino)
  const first = await prepareWithNpm(project)
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/^Installing packages/) as string })
  expect((await prepare(project)).said).toMatch(/^Ready to run on Node \d+\.\d+\.\d+\.\n$/)
  expect(await prepare(project, ['--quiet'])).toEqual({ code: 0, said: '' })
  const before = inodes()
  expect(existsSync(join(modules, 'tool'))).toBe(false)
  expect((await prepareWithNpm(project, ['--dev'])).said).toContain('Installing')
  expect([existsSync(join(modules, 'tool')), inodes()]).toEqual([true, before])
  for (const words of [[], ['--dev']]) expect((await prepare(project, words)).said).not.toContain('Installing')
  // What is for development stays, also when packages for running are installed.
  rmSync(join(modules, 'tool'))
  expect((await prepareWithNpm(project)).said).toContain('Installing')
  expect([existsSync(join(modules, 'tool')), inodes()]).toEqual([true, before])
  expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toBe(lockfile)
})

test('a half-done install, a package that was removed, and an installation of npm alone are completed', async () => {
  const project = makeProject()
  await prepare(project)
  for (const removed of ['.package-lock.json', 'part', '.keepsnap-install']) {
    rmSync(join(project, 'node_modules', removed), { recursive: true })
    expect([removed, (await prepare(project)).said]).toEqual([removed, expect.stringContaining('Installing packages')])
    expect((await prepare(project)).said).not.toContain('Installing')
  }
})

test('two concurrent runs wait for one that is killed, name it, and install once', async () => {
  const project = makeProject()
  const lock = `import { lockSetup } from '${join(project, 'scripts', 'run-command.mjs').replaceAll(' ', '%20')}'
    await lockSetup(process.argv[1], () => {})
    console.log('locked')
    setInterval(() => {}, 1000)`
  const args = ['--input-type=module', '-e', lock, project]
  const owner = spawn(oldNode, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(owner.stdout, 'data')
  const both = [begin(project), begin(project)]
  await Promise.all(both.map(({ child }) => once(child.stderr, 'data')))
  owner.kill('SIGKILL')
  const outcomes = await Promise.all(both.map(({ done }) => done))
  const waiting = `Waiting for process ${owner.pid}, which is preparing this folder ...`
  for (const { said } of outcomes) expect(said).toContain(waiting)
  for (const { code, said } of outcomes) expect([code, said]).toEqual([0, expect.stringMatching(/\nReady/)])
  expect(outcomes.filter(({ said }) => said.includes('Installing packages'))).toHaveLength(1)
})

test('an installation that fails says why and what to do, and the next run repeats it', async () => {
  const project = makeProject()
  for (const [sign, hint] of [
    ['EUSAGE', 'package.json and package-lock.json do not match'],
    ['ENOSPC', 'The disk is full'],
    ['ENOTFOUND', 'The package registry cannot be reached'],
    ['EACCES', 'This user cannot write here'],
  ]) {
    writeNpm(project, `console.error('npm error code ${sign}'); process.exit(1)`)
    const { code, said } = await prepare(project)
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`npm error code ${sign}\nInstalling packages failed. ${hint}`),
    ])
  }
  writeNpm(project, standInNpm)
  expect(await prepare(project)).toMatchObject({ code: 0, said: expect.stringContaining('Installing') as string })
})

test('without npm, setting up says so and ends', async () => {
  const project = makeProject()
  const { code, said } = await prepare(project, [], { PATH: join(project, 'part') })
  expect([code, said]).toEqual([1, expect.stringContaining('npm was not found: install it with Node.')])
})

test('a Node that is too old to run Keepsnap is named in one sentence', async () => {
  const project = makeProject()
  writeFileSync(join(project, 'bin', 'node'), '#!/bin/sh\necho 20.1.0\n', { mode: 0o755 })
  const { code, said } = await prepare(project)
  expect(code).toBe(1)
  expect(said.split('\n').at(-2)).toMatch(
    /^Keepsnap needs Node 22\.18 or later to run, and this machine has 20\.1\.0\./,
  )
})

test('preparing ends when the npm that asked for it is gone', async () => {
  const project = makeProject()
  writeNpm(project, 'setInterval(() => {}, 1000)')
  const shell = spawn('sh', ['-c', '"$0" "$1" & wait', oldNode, join(project, 'scripts', 'prepare.mjs')], {
    cwd: project,
    env: { ...process.env, PATH: `${project}/bin:${realPath}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(shell.stderr, 'data')
  shell.kill('SIGKILL')
  // The pipe closes when the last of them has ended.
  await once(shell.stderr, 'close')
  expect(spawnSync('pgrep', ['-f', join(project, 'bin', 'npm.cjs')]).stdout.toString()).toBe('')
})

test('the web app is built when its sources, packages or settings changed, packed, and swapped in whole', async () => {
  const project = makeProject()
  const web = join(project, 'web')
  for (const folder of ['messages/en', 'node_modules']) mkdirSync(join(web, folder), { recursive: true })
  symlinkSync(join(root, 'node_modules', 'vite'), join(web, 'node_modules', 'vite'))
  writeFileSync(join(web, 'index.html'), '<script type="module" src="/main.js"></script>')
  writeFileSync(join(web, 'vite.config.ts'), 'export default {}')
  const assets = join(web, 'dist', 'assets')
  const scripts = () => readdirSync(assets).filter((name) => name.endsWith('.js'))
  /** Builds it, and returns the scripts that are new. */
  const build = async (env: NodeJS.ProcessEnv = {}): Promise<string[]> => {
    const before = existsSync(assets) ? scripts() : []
    expect((await prepare(project, [], env)).said).toContain('Building the web app')
    return scripts().filter((name) => !before.includes(name))
  }
  const writeScript = (content: string): void => {
    const text = JSON.stringify(content.repeat(1_000))
    writeFileSync(join(web, 'main.js'), `document.body.append(${text}, import.meta.env.VITE_API_ORIGIN)`)
  }
  writeScript('photo ')
  const [first = ''] = await build()
  const plain = readFileSync(join(assets, first))
  expect(brotliDecompressSync(readFileSync(join(assets, `${first}.br`)))).toEqual(plain)
  expect(gunzipSync(readFileSync(join(assets, `${first}.gz`)))).toEqual(plain)
  expect((await prepare(project)).said).not.toContain('Building')

  // Pages that are open load the files of their own build: those of the one before the last are kept.
  writeScript('picture ')
  const [second = ''] = await build()
  expect(scripts().toSorted()).toEqual([first, second].toSorted())
  const [third = ''] = await build({ VITE_API_ORIGIN: 'https://api.example.com' })
  expect(scripts().toSorted()).toEqual([second, third].toSorted())

  writeFileSync(join(web, 'main.js'), 'this is no JavaScript')
  const before = statSync(assets).ino
  const failed = await prepare(project)
  expect(failed).toMatchObject({
    code: 1,
    said: expect.stringMatching(/main\.js[\s\S]*Building the web app failed\./) as string,
  })
  expect(statSync(assets).ino).toBe(before)
})
