import { parseSync, Visitor } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

const declarers = '(?:test|it|describe|suite)'
const mayMatch = new RegExp(String.raw`\b(?:skip|skipIf|runIf|todo)\b|[?:]\s*${declarers}\b`)
const isDeclarer = (text: string): boolean => new RegExp(`^${declarers}$`).test(text)
/** `test.skip`, `describe.each([]).skip`. */
const isSkippedDeclarer = new RegExp(String.raw`^${declarers}\b[^]*\.(?:skip|todo)$`)

/**
 * Tests that are skipped without a reason, or are absent under a condition. What a result names with its reason is
 * `skip(condition, 'reason')` of a test's context, in the test or in a `beforeEach`.
 */
export function findSkipsWithoutReason({ path, text }: SourceFile): string[] {
  if (!mayMatch.test(text)) return []
  const problems: string[] = []
  const textOf = ({ start, end }: { start: number; end: number }): string => text.slice(start, end)
  const found = ({ start }: { start: number }, what: string): void => {
    const line = text.slice(0, start).split('\n').length
    problems.push(`${path}:${line}: ${what}; use skip(condition, 'reason') of the test's context`)
  }
  new Visitor({
    MemberExpression(node) {
      const name = textOf(node.property)
      if (name === 'skipIf' || name === 'runIf') found(node, `${name} gives no reason`)
      else if (isSkippedDeclarer.test(textOf(node))) found(node, `${name} of a test gives no reason`)
    },
    CallExpression({ callee, arguments: args, start }) {
      if (!/(?:^|\.)skip$/.test(textOf(callee)) || isSkippedDeclarer.test(textOf(callee))) return
      const reason = args.at(-1)
      const isText =
        reason?.type === 'TemplateLiteral' || (reason?.type === 'Literal' && typeof reason.value === 'string')
      if (!isText && args.length < 2) found({ start }, 'a skip without a reason')
    },
    ConditionalExpression(node) {
      if (isDeclarer(textOf(node.consequent)) || isDeclarer(textOf(node.alternate)))
        found(node, 'a test that is absent under a condition')
    },
  }).visit(parseSync(path, text).program)
  return problems
}
