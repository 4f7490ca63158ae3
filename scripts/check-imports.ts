/**
 * Checks the direction of imports, which packages a folder may use, that the program does not import tests, that folders of the
 * server do not import each other in a circle (files: the linter), and that each table is written by one subject.
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
  // These know no feature. `config.ts` asks the ports what their settings are, so ports do not import it.
  [/^server\/ports\//, /^(contract|server\/(lib|platform\/db))\//],
  [/^server\/platform\//, /^(contract\/|server\/(lib|images|ports|platform)\/|server\/(config|faults)\.ts$)/],
  [
    /^server\/features\//,
    /^(contract\/|server\/(lib|images|ports|platform|features)\/|server\/(config|dependencies|faults)\.ts$)/,
  ],
  [/^server\//, /^(contract|server)\//],
  [/^web\/(ui|lib|messages)\//, /^(contract|web\/(ui|lib|messages|styles|pictures))\//],
  [/^web\/features\//, /^(contract|web\/(ui|lib|messages|features|styles|pictures))\//],
  [/^web\//, /^(contract|web)\//],
  [/^(e2e|bench|scripts)\//, /^(contract|client|server|web|e2e|bench|scripts)\//],
]

/** What files outside of a folder may import of it. `render` is a program that `sandbox` starts. */
const entryPoints: [folder: string, files: RegExp][] = [
  [
    'server/images/',
    /^(protocol|vary-photo|formats\/(sniff|svg)|jpeg\/(jpeg|scan)|sandbox\/image-(pool|jobs)|test\/[\w-]+)\.ts$/,
  ],
  ['server/images/render/', /^$/],
  ['server/platform/postgres/', /^(open-database|embedded-postgres)\.ts$/],
]

/**
 * Packages that only some files may import. Tests, benchmarks and scripts may import them too: they use the program as
 * clients, or examine what it has written. `inTests` forbids that as well. A name stands for its subpaths too (`fastify/...`),
 * and one that ends with a slash for the packages of that scope.
 */
const packages: { names: readonly string[]; mayImport: RegExp; inTests?: true }[] = [
  { names: ['fastify'], mayImport: /^server\/platform\/http\//, inTests: true },
  { names: ['ajv'], mayImport: /^server\/(platform\/http|test)\//, inTests: true },
  { names: ['@fastify/'], mayImport: /^server\/platform\/http\// },
  { names: ['ws'], mayImport: /^server\/(platform|features)\/live\// },
  { names: ['pg'], mayImport: /^server\/(platform\/|operations\/|(app|dependencies)\.ts$)/ },
  { names: ['kysely'], mayImport: /^server\/(platform|features|operations|ports\/(payments|storage))\// },
  { names: ['prom-client'], mayImport: /^server\/platform\/metrics\// },
  { names: ['pg-copy-streams'], mayImport: /^server\/operations\// },
  { names: ['graphile-worker'], mayImport: /^server\/platform\/(db|jobs)\// },
  { names: ['nodemailer'], mayImport: /^server\/ports\/mail\// },
  { names: ['stripe'], mayImport: /^server\/ports\/payments\// },
  { names: ['@aws-sdk/'], mayImport: /^server\/ports\/storage\// },
  { names: ['sharp'], mayImport: /^server\/images\// },
  { names: ['ipaddr.js'], mayImport: /^server\/ports\/webhooks\.ts$/ },
  { names: ['@node-rs/argon2'], mayImport: /^server\/features\/accounts\// },
  { names: ['react', 'react-dom', 'react-router', '@tanstack/react-query'], mayImport: /^web\// },
]
const usesPackagesFreely = /^(bench|e2e|scripts)\//

/** The part of a path that a folder's pattern matches. */
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

/** What may not import each other in a circle. Features may: theirs are circles of files, if any. */
const folderLevels = [
  /^[\w-]+\//,
  /^server\/(platform\/[\w-]+|ports|images|lib)(?=\/)/,
  /^server\/images\/[\w-]+(?=\/)/,
  /^web\/(ui|lib|features|messages)(?=\/)/,
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

/** Tables of which several subjects write columns or rows of their own. */
const sharedTables = new Set(['photos', 'photo_removals'])

/** Tables that several subjects write. Migrations and the command `demo`, which fills an empty instance, write all of them. */
function findSharedTables(files: readonly { path: string; text: string }[]): string[] {
  const writers = new Map<string, Map<string, string>>()
  for (const { path, text } of files) {
    const folder = /^server\/((?:features|platform|ports)\/[\w-]+|[\w-]+)/.exec(path)?.[1]
    if (folder === undefined || isTest(path) || /\/(migrations\/|migrate\.ts|demo-[\w-]+\.ts|demo\.ts)/.test(path))
      continue
    for (const [, table = ''] of writes.flatMap((pattern) => [...text.matchAll(pattern)]))
      writers.set(table, (writers.get(table) ?? new Map<string, string>()).set(folder, path))
  }
  return [...writers].flatMap(([table, paths]) =>
    paths.size > 1 && !sharedTables.has(table) ? [`${table} is written by ${[...paths.values()].join(' and ')}`] : [],
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
