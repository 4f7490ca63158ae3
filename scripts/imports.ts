import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

/** What a file imports or re-exports, as written: dynamic imports and types too, also those of `import('...').Type`. */
export function importsOf({ path, text }: SourceFile): string[] {
  const { module, program } = parseSync(path, text)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  )
  const dynamic = module.dynamicImports.map(
    ({ moduleRequest: { start, end } }) => /^['"](.*)['"]$/.exec(text.slice(start, end))?.[1],
  )
  const types: string[] = []
  if (/\bimport\(/.test(text))
    new Visitor({ TSImportType: ({ source }) => void types.push(source.value) }).visit(program)
  const all = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported,
    ...dynamic,
    ...types,
  ]
  return [...new Set(all.filter((name) => name !== undefined))]
}

/** The path of an imported file in this project; undefined for packages. */
export function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('@keepsnap/')) return name.slice('@keepsnap/'.length)
  return name.startsWith('.') ? join(dirname(file), name) : undefined
}

/** Files, or folders, and what each imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** At least one cycle for each group of files or folders that import each other: a path whose last part is its first. */
export function findCycles(imports: ImportGraph): string[][] {
  const cycles: string[][] = []
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file])
    if (start >= 0 || finished.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return cycles
}

/** Cycles of folders, each with the imports that close it; `folderOf` a file is undefined when its imports do not count. */
export function findFolderCycles(imports: ImportGraph, folderOf: (path: string) => string | undefined): string[] {
  const folders = new Map<string, Map<string, string>>()
  for (const [path, targets] of imports) {
    const from = folderOf(path)
    for (const target of targets) {
      const to = folderOf(target)
      if (from === undefined || to === undefined || from === to) continue
      const examples = folders.get(from) ?? new Map<string, string>()
      folders.set(from, examples.set(to, `${path} imports ${target}`))
    }
  }
  const graph = new Map([...folders].map(([folder, examples]) => [folder, [...examples.keys()]]))
  return findCycles(graph).map((cycle) =>
    cycle.flatMap((folder, at) => folders.get(folder)?.get(cycle[at + 1] ?? '') ?? []).join(', '),
  )
}
