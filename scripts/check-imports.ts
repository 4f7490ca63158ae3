/** Checks the direction of imports (the map of ARCHITECTURE.md), where packages may be used, and that no imports are circular. */
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { isTest, report, sourceFiles, type SourceFile } from './source-files.ts'

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
  [/^server\/metrics\//, /^(contract|server\/(lib|db|jobs|live|images|ports))\//],
  [/^server\/db\//, /^contract\//],
  [
    /^server\/backup\//,
    /^(contract\/|server\/(lib|domain|db|ports|runtime|secret-keys)\/|server\/postgres\/open-database\.ts$|server\/config\.ts$)/,
  ],
  [/^server\/moving\//, /^(contract|server\/(lib|domain|db|ports|runtime))\//],
  [/^server\/secret-keys\//, /^(contract\/|server\/(lib|domain|db|runtime)\/|server\/config\.ts$)/],
  [/^server\/ports\/payments\//, /^(contract\/|server\/(lib|db)\/|server\/config\.ts$)/],
  [/^server\/ports\//, /^(contract\/|server\/lib\/|server\/config\.ts$)/],
  [/^server\/jobs\//, /^(contract\/|server\/db\/)/],
  [/^server\/live\//, /^(contract\/|server\/(db|metrics)\/)/],
  [/^server\/http\//, /^(contract\/|server\/(lib|db|live|metrics|ports|runtime)\/|server\/(faults|config)\.ts$)/],
  [/^server\/runtime\//, /^(contract\/|server\/(images|lib|ports)\/|server\/config\.ts$)/],
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
    /^(watermark-layout|drawing\/(draw|random)|formats\/formats|jpeg\/jpeg|sandbox\/image-(pool|jobs|failure)|test\/[\w-]+)\.ts$/,
  ],
  ['server/images/formats/', /^formats\.ts$/],
  ['server/images/jpeg/', /^jpeg\.ts$/],
  ['server/images/metadata/', /^(exif|icc)\.ts$/],
  ['server/images/render/', /^$/],
  ['server/images/sandbox/', /^image-(pool|jobs|failure)\.ts$/],
  ['server/jobs/', /^(jobs|queue|queue-states|worker|unused-sequences)\.ts$/],
  // `app.ts` opens what is measured; others see only the interface.
  ['server/metrics/', /^(metrics|open-metrics)\.ts$/],
  ['server/live/', /^(bus|hub|connection-registry|row-cache)\.ts$/],
  ['server/postgres/', /^(open-database|embedded-postgres)\.ts$/],
]

/**
 * Packages that only some files may import. Tests, benchmarks and scripts may import them too: they use the program as
 * clients, or examine what it has written. `inTests` forbids that as well.
 */
const packages: { name: RegExp; mayImport: RegExp; inTests?: true }[] = [
  { name: /^fastify$/, mayImport: /^server\/http\//, inTests: true },
  { name: /^ajv$/, mayImport: /^server\/(http|test)\//, inTests: true },
  { name: /^@fastify\//, mayImport: /^server\/http\// },
  { name: /^ws$/, mayImport: /^server\/(http|live)\// },
  { name: /^pg$/, mayImport: /^server\/((backup|db|jobs|live|metrics|postgres)\/|(app|dependencies)\.ts$)/ },
  {
    name: /^kysely$/,
    mayImport:
      /^server\/(backup|db|demo-data|domain|emails|features|http|jobs|live|metrics|moving|ports\/payments|secret-keys)\//,
  },
  { name: /^prom-client$/, mayImport: /^server\/metrics\// },
  { name: /^pg-copy-streams$/, mayImport: /^server\/backup\// },
  { name: /^graphile-worker$/, mayImport: /^server\/(db|jobs)\// },
  { name: /^nodemailer$/, mayImport: /^server\/ports\/mail\// },
  { name: /^stripe$/, mayImport: /^server\/ports\/payments\// },
  { name: /^@aws-sdk\//, mayImport: /^server\/ports\/storage\// },
  { name: /^sharp$/, mayImport: /^server\/images\// },
  { name: /^ipaddr\.js$/, mayImport: /^server\/ports\/webhooks\// },
  { name: /^@node-rs\/argon2$/, mayImport: /^server\/features\/accounts\// },
  { name: /^yazl$/, mayImport: /^server\/features\/privacy\// },
  { name: /^(react|react-dom|react-router|@tanstack\/react-query)$/, mayImport: /^web\// },
]
const usesPackagesFreely = /^(bench|e2e|scripts)\//

/** What a file imports or re-exports, as written; types and dynamic imports included. */
function importsOf({ path, text }: SourceFile): string[] {
  const { module } = parseSync(path, text)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  )
  const dynamic = module.dynamicImports.map(
    ({ moduleRequest: { start, end } }) => /^['"](.*)['"]$/.exec(text.slice(start, end))?.[1],
  )
  const all = [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic]
  return [...new Set(all.filter((name) => name !== undefined))]
}

/** The path of an imported file in this project; undefined for packages. */
function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('@keepsnap/')) return name.slice('@keepsnap/'.length)
  return name.startsWith('.') ? join(dirname(file), name) : undefined
}

/** The part of a path that a folder's pattern matches: for `server/features/[\w-]+/` the folder of one feature. */
const matchedPart = (path: string, folder: RegExp): string => folder.exec(path)?.[0] ?? ''

function checkTarget(path: string, target: string): string | undefined {
  const rule = folders.find(([folder]) => folder.test(path))
  if (rule && !target.startsWith(matchedPart(path, rule[0])) && !rule[1].test(target))
    return `${path} may not import ${target}`
  const entry = entryPoints.find(([folder]) => target.startsWith(folder) && !path.startsWith(folder))
  if (entry && !entry[1].test(target.slice(entry[0].length)))
    return `${path} may not import ${target}: it is not an entry point of ${entry[0]}`
  return undefined
}

function checkPackage(path: string, name: string): string | undefined {
  const rule = packages.find((one) => one.name.test(name))
  if (!rule || rule.mayImport.test(path)) return undefined
  if (!rule.inTests && (isTest(path) || usesPackagesFreely.test(path))) return undefined
  return `${path} may not import the package ${name}`
}

/** One cycle for each group of files that import each other, written as a path. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push(`circular imports: ${[...path.slice(start), file].join(' -> ')}`)
    if (start >= 0 || finished.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return cycles
}

const problems: string[] = []
const imports = new Map<string, string[]>()
for (const file of sourceFiles(/^(contract|client|server|web|e2e|bench|scripts)\//)) {
  const { path } = file
  const targets: string[] = []
  for (const name of importsOf(file)) {
    const target = targetOf(path, name)
    if (target !== undefined) targets.push(target)
    const problem =
      target === undefined ? checkPackage(path, name) : isTest(path) ? undefined : checkTarget(path, target)
    if (problem) problems.push(problem)
  }
  imports.set(path, targets)
}
report('imports', [...problems, ...findCycles(imports)])
