/**
 * Checks the direction of imports (the map of ARCHITECTURE.md), where packages may be used, that the program does not import
 * tests, that folders do not import each other in a circle (files: the linter), and that each table is written by one folder.
 */
import { dirname, join } from 'node:path'
import { isTest, reportProblems, sourceFiles } from './source-files.ts'

/** A folder, and what its files may import besides each other. The first folder that matches a file counts. */
const folders: [folder: RegExp, mayImport: RegExp][] = [
  [/^contract\//, /^$/],
  // What other programs use: nothing of ours, only the types that are generated from the contract.
  [/^client\/command\//, /^client\//],
  [/^client\//, /^$/],
  [/^server\/images\//, /^$/],
  [/^server\/lib\//, /^contract\//],
  [
    /^server\/features\/[\w-]+\//,
    /^(contract\/|server\/(lib|domain|db|jobs|metrics|ports|http|live|images|emails)\/|server\/(dependencies|faults)\.ts$)/,
  ],
  [/^server\/emails\//, /^(contract\/|server\/(lib|domain|db|jobs|metrics|ports|live)\/)/],
  [/^server\/domain\//, /^(contract\/|server\/(lib|db|jobs|live|ports)\/|server\/faults\.ts$)/],
  [/^server\/metrics\//, /^(contract|server\/(lib|db|jobs|images|ports))\//],
  [/^server\/db\//, /^contract\//],
  [
    /^server\/backup\//,
    /^(contract\/|server\/(lib|domain|db|ports|runtime|secret-keys)\/|server\/postgres\/open-database\.ts$|server\/config\.ts$)/,
  ],
  [/^server\/moving\//, /^(contract|server\/(lib|domain|db|ports|runtime))\//],
  [/^server\/secret-keys\//, /^(contract\/|server\/(lib|domain|db|runtime)\/|server\/config\.ts$)/],
  // The settings of some folders are read in them, by what `config.ts` calls; so these import nothing of it.
  [/^server\/ports\/payments\//, /^(contract|server\/(lib|db))\//],
  [/^server\/ports\/[\w-]+\//, /^(contract|server\/lib)\//],
  [/^server\/jobs\//, /^(contract\/|server\/db\/)/],
  [/^server\/live\//, /^(contract\/|server\/(lib|db|metrics)\/)/],
  [/^server\/http\//, /^(contract\/|server\/(lib|db|live|metrics|ports|runtime)\/|server\/faults\.ts$)/],
  [/^server\/runtime\//, /^(contract|server\/(images|lib|ports))\//],
  [/^server\/postgres\//, /^server\/(runtime\/|config\.ts$)/],
  [/^server\//, /^(contract|server)\//],
  [/^web\/(ui|lib|messages)\//, /^(contract|web\/(ui|lib|messages|styles|pictures))\//],
  [/^web\/features\/[\w-]+\//, /^(contract|web\/(ui|lib|messages|styles|pictures))\//],
  [/^web\/pages\//, /^(contract|web\/(ui|lib|messages|features|styles|pictures))\//],
  [/^web\//, /^(contract|web)\//],
  [/^(e2e|bench|scripts)\//, /^(contract|client|server|web|e2e|bench|scripts)\//],
]

/** Folders of which files outside may import only these files. */
const entryPoints: [folder: string, files: RegExp][] = [
  // For files outside of `server/images`; below, for its other folders. `render` is a program that `sandbox` starts.
  [
    'server/images/',
    /^(watermark-layout|vary-photo|formats\/formats|jpeg\/jpeg|sandbox\/image-(pool|jobs|failure)|test\/[\w-]+)\.ts$/,
  ],
  ['server/images/formats/', /^formats\.ts$/],
  ['server/images/jpeg/', /^jpeg\.ts$/],
  ['server/images/metadata/', /^(exif|icc)\.ts$/],
  ['server/images/render/', /^$/],
  ['server/images/sandbox/', /^image-(pool|jobs|failure)\.ts$/],
  ['server/jobs/', /^(jobs|queue|queue-states|worker|unused-sequences)\.ts$/],
  // `app.ts` opens what is measured; others see only the interface.
  ['server/metrics/', /^(catalogue|metrics|open-metrics)\.ts$/],
  ['server/live/', /^(bus|hub|connection-registry|row-cache)\.ts$/],
  ['server/postgres/', /^(open-database|embedded-postgres)\.ts$/],
]

/**
 * Packages that only some files may import. Tests, benchmarks and scripts may import them too: they use the program as
 * clients, or examine what it has written. `inTests` forbids that as well. A name stands for its subpaths too (`fastify/...`),
 * and one that ends with a slash for the packages of that scope.
 */
const packages: { names: readonly string[]; mayImport: RegExp; inTests?: true }[] = [
  { names: ['fastify'], mayImport: /^server\/http\//, inTests: true },
  { names: ['ajv'], mayImport: /^server\/(http|test)\//, inTests: true },
  { names: ['@fastify/'], mayImport: /^server\/http\// },
  { names: ['ws'], mayImport: /^server\/(http|live)\// },
  { names: ['pg'], mayImport: /^server\/((backup|db|jobs|live|metrics|postgres)\/|(app|dependencies)\.ts$)/ },
  {
    names: ['kysely'],
    mayImport:
      /^server\/(backup|db|demo-data|domain|emails|features|http|jobs|live|metrics|moving|ports\/payments|secret-keys)\//,
  },
  { names: ['prom-client'], mayImport: /^server\/metrics\// },
  { names: ['pg-copy-streams'], mayImport: /^server\/backup\// },
  { names: ['graphile-worker'], mayImport: /^server\/(db|jobs)\// },
  { names: ['nodemailer'], mayImport: /^server\/ports\/mail\// },
  { names: ['stripe'], mayImport: /^server\/ports\/payments\// },
  { names: ['@aws-sdk/'], mayImport: /^server\/ports\/storage\// },
  { names: ['sharp'], mayImport: /^server\/images\// },
  { names: ['ipaddr.js'], mayImport: /^server\/ports\/webhooks\// },
  { names: ['@node-rs/argon2'], mayImport: /^server\/features\/accounts\// },
  { names: ['react', 'react-dom', 'react-router', '@tanstack/react-query'], mayImport: /^web\// },
]
const usesPackagesFreely = /^(bench|e2e|scripts)\//

/** The part of a path that a folder's pattern matches: for `server/features/[\w-]+/` the folder of one feature. */
const matchedPart = (path: string, folder: RegExp): string => folder.exec(path)?.[0] ?? ''

function checkTarget(path: string, target: string): string | undefined {
  if (/^(contract|client|server|web)\//.test(path) && isTest(target))
    return `${path} may not import ${target}: it is for tests`
  const rule = folders.find(([folder]) => folder.test(path))
  if (rule && !target.startsWith(matchedPart(path, rule[0])) && !rule[1].test(target))
    return `${path} may not import ${target}`
  const entry = entryPoints.find(([folder]) => target.startsWith(folder) && !path.startsWith(folder))
  if (entry && !entry[1].test(target.slice(entry[0].length)))
    return `${path} may not import ${target}: it is not an entry point of ${entry[0]}`
  return undefined
}

const isOfPackage = (imported: string, name: string): boolean =>
  imported === name || imported.startsWith(name.endsWith('/') ? name : `${name}/`)

function checkPackage(path: string, name: string): string | undefined {
  const rule = packages.find(({ names }) => names.some((one) => isOfPackage(name, one)))
  if (!rule || rule.mayImport.test(path)) return undefined
  if (!rule.inTests && (isTest(path) || usesPackagesFreely.test(path))) return undefined
  return `${path} may not import the package ${name}`
}

/** What may not import each other in a circle: the folders that match, and files that stand beside them. */
const folderLevels = [
  /^[\w-]+\//,
  /^[\w-]+\/((features|ports)\/[\w-]+|[\w-]+(?=\/)|[\w.-]+)/,
  /^(server\/images|web\/features\/photos)\/([\w-]+(?=\/)|[\w.-]+)/,
]

/** Circles of folders, as the imports that close them. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>, level: RegExp): string[] {
  const graph = new Map<string, Map<string, string>>()
  for (const [path, targets] of imports) {
    const from = level.exec(path)?.[0]
    for (const target of targets) {
      const to = level.exec(target)?.[0]
      if (from === undefined || to === undefined || from === to) continue
      graph.set(from, (graph.get(from) ?? new Map<string, string>()).set(to, `${path} imports ${target}`))
    }
  }
  const circles: string[] = []
  const finished = new Set<string>()
  const visit = (folder: string, path: readonly string[], edges: readonly string[]): void => {
    const start = path.indexOf(folder)
    if (start >= 0) circles.push(edges.slice(start).join(', '))
    if (start >= 0 || finished.has(folder)) return
    for (const [to, edge] of graph.get(folder) ?? []) visit(to, [...path, folder], [...edges, edge])
    finished.add(folder)
  }
  for (const folder of graph.keys()) visit(folder, [], [])
  return circles
}

const writes = [
  /(?:insertInto|updateTable|deleteFrom)\('(\w+)(?: as \w+)?'/g,
  /\b(?:insert into|delete from)\s+([a-z_]+)\b/g,
  /\bupdate\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]\w*)?\s+set\b/g,
]

/** Tables that several folders write. Migrations and the command `demo`, which fills an empty instance, write all of them. */
function findSharedTables(files: readonly { path: string; text: string }[]): string[] {
  const writers = new Map<string, Map<string, string>>()
  for (const { path, text } of files) {
    const folder = /^server\/((?:features|ports)\/[\w-]+|[\w-]+)/.exec(path)?.[1]
    if (folder === undefined || isTest(path) || /^(?:db|demo-data)$/.test(folder)) continue
    for (const [, table = ''] of writes.flatMap((pattern) => [...text.matchAll(pattern)]))
      writers.set(table, (writers.get(table) ?? new Map<string, string>()).set(folder, path))
  }
  return [...writers].flatMap(([table, paths]) =>
    paths.size > 1 ? [`${table} is written by ${[...paths.values()].join(' and ')}`] : [],
  )
}

const files = sourceFiles(/^(contract|client|server|web|e2e|bench|scripts)\//)
const problems: string[] = []
const imports = new Map<string, string[]>()
for (const { path, text } of files) {
  const targets: string[] = []
  for (const [, name = ''] of text.matchAll(/\b(?:from|import)\s*(?:\(\s*)?'([^'\n]+)'/g)) {
    const target = name.startsWith('@keepsnap/')
      ? name.slice('@keepsnap/'.length)
      : name.startsWith('.')
        ? join(dirname(path), name)
        : undefined
    if (target !== undefined) targets.push(target)
    const problem =
      target === undefined ? checkPackage(path, name) : isTest(path) ? undefined : checkTarget(path, target)
    if (problem) problems.push(problem)
  }
  if (!isTest(path)) imports.set(path, targets)
}
reportProblems('imports', [
  ...problems,
  ...folderLevels.flatMap((level) => findCircles(imports, level)).map((edges) => `folders import each other: ${edges}`),
  ...findSharedTables(files),
])
