/**
 * The budget of a file: its length, its functions, its parameters, its casts, its name, its docstrings. And of two
 * folders: their files. Of a test: a reason for each skip.
 */
import { basename, dirname } from 'node:path'
import { parseSync, Visitor, type ParseResult } from 'oxc-parser'
import { isTest, reportProblems, sourceFiles, type SourceFile } from './source-files.ts'
import { findSkipsWithoutReason } from './test-skips.ts'

const limits = { fileLines: 250, medianLines: 60, functionLines: 50, componentLines: 120, parameters: 3 }
/** How many files stand in these folders themselves, tests included; what belongs together has a folder of its own. */
const mostFiles: Record<string, number> = { server: 9, 'server/images': 12 }
const meaninglessNames = /^(utils?|helpers?|common|manager|service|base|misc)\b/
const needsDocstrings = /^(contract\/|server\/ports\/|server\/jobs\/jobs\.ts$|server\/http\/serve\.ts$)/

interface Located {
  start: number
  end: number
}
type FunctionNode = Located & { params: readonly unknown[] }

/** A parsed file, by lines from 1. */
interface Source {
  path: string
  lineOf(offset: number): number
  /** The text of a line; empty where the file has no such line. */
  textAt(line: number): string
  /** The lines in which a comment ends. */
  commentLines: ReadonlySet<number>
  /** Components and hooks, by where they begin. */
  components: ReadonlySet<number>
}

/** Returns the line of an offset, from 1, by binary search. */
function lineFinder(text: string): (offset: number) => number {
  const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    let low = 0
    let high = lineEnds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lineEnds[middle] ?? Infinity) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** Where components and hooks begin in a .tsx file: functions with such a name, and those without one that a file exports. */
function findComponents(program: ParseResult['program']): Set<number> {
  const components = new Set<number>()
  const isComponentName = (name: string | undefined): boolean => /^([A-Z]|use[A-Z])/.test(name ?? '')
  const onFunction = (node: Located & { id: { name: string } | null }): void => {
    if (isComponentName(node.id?.name)) components.add(node.start)
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && isComponentName(id.name)) components.add(init.start)
    },
    ExportDefaultDeclaration: ({ declaration }) => void components.add(declaration.start),
  }).visit(program)
  return components
}

function checkFolders(files: SourceFile[]): string[] {
  return Object.entries(mostFiles).flatMap(([folder, most]) => {
    const { length } = files.filter(({ path }) => dirname(path) === folder)
    return length > most ? [`${folder}: ${length} files outside of its subfolders; at most ${most}`] : []
  })
}

function checkNames(path: string): string[] {
  const name = basename(path).replace(/\.(test|spec|config|d)?\.?(tsx?|mjs)$/, '')
  const isComponent = path.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*$/.test(name)
  const isHook = /^use[A-Z][A-Za-z]*$/.test(name)
  const isKebab = /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name) || /^\d{4}_[a-z_]+$/.test(name) || name === 'fakeServer'
  return [
    ...(isComponent || isHook || isKebab ? [] : [`${path}: files are kebab-case, components PascalCase`]),
    ...(meaninglessNames.test(name) ? [`${path}: generic file name`] : []),
    ...(path.includes('/src/') ? [`${path}: no src folders`] : []),
  ]
}

/** The lines of a function include those of the functions inside it. */
function checkFunction({ path, lineOf, components }: Source, node: FunctionNode): string[] {
  const line = lineOf(node.start)
  const length = lineOf(node.end) - line + 1
  const mostLines = components.has(node.start) ? limits.componentLines : limits.functionLines
  const { length: parameters } = node.params
  return [
    ...(parameters > limits.parameters
      ? [`${path}:${line}: ${parameters} positional parameters; at most ${limits.parameters}`]
      : []),
    // A landed migration is never changed.
    ...(length > mostLines && !path.includes('/migrations/')
      ? [`${path}:${line}: a function of ${length} lines, inner functions included; at most ${mostLines}`]
      : []),
  ]
}

/** A cast or `!` has a comment in its first or last line, or in the two lines before. */
function checkAssertion({ path, lineOf, commentLines }: Source, node: Located, name: string): string[] {
  const hasComment = (line: number): boolean => [line, line - 1, line - 2].some((one) => commentLines.has(one))
  const line = lineOf(node.end)
  if (hasComment(line) || hasComment(lineOf(node.start))) return []
  return [`${path}:${line}: ${name} needs a comment that explains why it is safe`]
}

function checkExport({ path, lineOf, textAt }: Source, node: Located): string[] {
  const line = lineOf(node.start)
  const hasDocstring = /^\s*\*\/\s*$|^\s*\/\*\*.*\*\/\s*$/.test(textAt(line - 1))
  if (!needsDocstrings.test(path) || hasDocstring) return []
  // The docstring of a schema is also that of its type, and an endpoint has a summary.
  if (/^export type (\w+) = (Static|\(typeof)/.test(textAt(line)) || /= endpoint\(\{/.test(textAt(line))) return []
  return [`${path}:${line}: an export without a docstring`]
}

function checkCode({ path, text }: SourceFile): string[] {
  const { program, errors, comments } = parseSync(path, text)
  if (errors.length) return [`${path}: ${errors[0]?.message}`]
  const lines = text.split('\n')
  const lineOf = lineFinder(text)
  const source: Source = {
    path,
    lineOf,
    textAt: (line) => lines[line - 1] ?? '',
    commentLines: new Set(comments.map(({ end }) => lineOf(end))),
    components: path.endsWith('.tsx') ? findComponents(program) : new Set(),
  }
  const problems: string[] = []
  const onFunction = (node: FunctionNode): void => void problems.push(...checkFunction(source, node))
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    ExportNamedDeclaration(node) {
      if (node.declaration) problems.push(...checkExport(source, node))
    },
    TSAsExpression(node) {
      const type = text.slice(node.typeAnnotation.start, node.typeAnnotation.end)
      if (type !== 'const') problems.push(...checkAssertion(source, node, 'a cast'))
    },
    TSNonNullExpression(node) {
      problems.push(...checkAssertion(source, node, 'a `!`'))
    },
  }).visit(program)
  return problems
}

const files = sourceFiles(/^(contract|client|server|web|e2e|bench|scripts)\//)
const problems = checkFolders(files)
const lengths: number[] = []
for (const file of files) {
  if (file.path === 'server/db/schema.ts' || file.path === 'client/api.ts') continue
  problems.push(...checkNames(file.path))
  if (isTest(file.path)) {
    problems.push(...findSkipsWithoutReason(file))
    continue
  }
  const length = file.text.split('\n').length - 1
  lengths.push(length)
  if (length > limits.fileLines) problems.push(`${file.path}: ${length} lines; at most ${limits.fileLines}`)
  if (!file.path.endsWith('.mjs')) problems.push(...checkCode(file))
}
lengths.sort((a, b) => a - b)
const median = lengths[lengths.length >> 1] ?? 0
if (median > limits.medianLines) problems.push(`the median file has ${median} lines; at most ${limits.medianLines}`)
process.stdout.write(`${lengths.length} source files, median ${median} lines\n`)
reportProblems('shape', problems)
