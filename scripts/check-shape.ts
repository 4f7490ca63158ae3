/** The budget of a file: its length, its functions, its parameters, its casts, its name, its docstrings. */
import { basename } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { isTest, report, sourceFiles, type SourceFile } from './source-files.ts'

const most = { fileLines: 250, functionLines: 50, componentLines: 120, parameters: 3 }
const badNames = /^(utils?|helpers?|common|manager|service|base|misc)\b/
const documented = /^(contract\/|server\/ports\/|server\/jobs\/jobs\.ts$|server\/http\/serve\.ts$)/

interface Located {
  start: number
  end: number
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

function checkNames(path: string): string[] {
  const name = basename(path).replace(/\.(test|spec|config|d)?\.?(tsx?|mjs)$/, '')
  const isComponent = path.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*$/.test(name)
  const isHook = /^use[A-Z][A-Za-z]*$/.test(name)
  const kebab = /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name) || /^\d{4}_[a-z_]+$/.test(name) || name === 'fakeServer'
  return [
    ...(isComponent || isHook || kebab ? [] : [`${path}: files are kebab-case, components PascalCase`]),
    ...(badNames.test(name) ? [`${path}: the name says nothing; name what it does`] : []),
    ...(path.includes('/src/') ? [`${path}: no src folders`] : []),
  ]
}

function checkCode({ path, text }: SourceFile): string[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length) return [`${path}: ${errors[0]?.message}`]
  const complaints: string[] = []
  const lineOf = lineFinder(text)
  const lines = text.split('\n')
  // A function's own lines: those of the functions inside it are counted there.
  const open: number[] = []
  const enter = (node: Located & { params: readonly unknown[] }): void => {
    open.push(0)
    if (node.params.length > most.parameters) {
      complaints.push(
        `${path}:${lineOf(node.start)}: ${node.params.length} positional parameters; at most ${most.parameters}`,
      )
    }
  }
  const leave = (node: Located): void => {
    const line = lineOf(node.start)
    const whole = lineOf(node.end) - line + 1
    const own = whole - (open.pop() ?? 0)
    const limit = path.endsWith('.tsx') ? most.componentLines : most.functionLines
    if (own > limit && !path.includes('/migrations/'))
      complaints.push(`${path}:${line}: a function of ${own} lines; at most ${limit}`)
    const outer = open.length - 1
    if (outer >= 0) open[outer]! += whole - 1
  }
  const explained = (line: number): boolean =>
    [lines[line - 1], lines[line - 2], lines[line - 3]].some((one) => /\/\/|\*\//.test(one ?? ''))
  const checkExport = (node: Located): void => {
    if (!documented.test(path) || /^\s*\*\/\s*$|^\s*\/\*\*.*\*\/\s*$/.test(lines[lineOf(node.start) - 2] ?? '')) return
    const first = lines[lineOf(node.start) - 1] ?? ''
    // A type of the same name as the schema above it, and one-line endpoints that carry a summary, speak for themselves.
    if (/^export type (\w+) = (Static|\(typeof)/.test(first) || /= endpoint\(\{/.test(first)) return
    complaints.push(`${path}:${lineOf(node.start)}: an export of the promises without a docstring`)
  }
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
    ExportNamedDeclaration(node) {
      if (node.declaration) checkExport(node)
    },
    TSAsExpression(node) {
      const line = lineOf(node.end)
      if (
        text.slice(node.typeAnnotation.start, node.typeAnnotation.end) === 'const' ||
        explained(line) ||
        explained(lineOf(node.start))
      )
        return
      complaints.push(`${path}:${line}: a cast without a comment that says why it holds`)
    },
  }).visit(program)
  return complaints
}

const complaints: string[] = []
const lengths: number[] = []
for (const file of sourceFiles(/^(contract|server|web|e2e|bench|scripts)\//)) {
  if (file.path === 'server/db/schema.ts') continue
  complaints.push(...checkNames(file.path))
  if (isTest(file.path)) continue
  const length = file.text.split('\n').length - 1
  lengths.push(length)
  if (length > most.fileLines) complaints.push(`${file.path}: ${length} lines; at most ${most.fileLines}`)
  if (!file.path.endsWith('.mjs')) complaints.push(...checkCode(file))
}
lengths.sort((a, b) => a - b)
process.stdout.write(`${lengths.length} source files, median ${lengths[lengths.length >> 1]} lines\n`)
report('shape', complaints)
