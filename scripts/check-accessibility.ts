/**
 * Compares the automatic part of the accessibility statement with the tests: each test that it names exists under that title
 * and is not skipped, and the tests of all pages run each rule of axe that it names, which belongs to the criterion.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { parseSync, Visitor } from 'vite'
import { axeOptions } from '../e2e/page-problems.ts'
import { criteria, type Criterion, type NamedTest, tests } from '../web/features/site/accessibility.ts'
import { reportProblems, root } from './source-files.ts'

type Node = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0]['callee']

/** The names in what is called: `test`, `each` of `test.each(...)`. */
function namesOf(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type === 'CallExpression') return namesOf(node.callee)
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return []
  return [...namesOf(node.object), node.property.name]
}

/** Titles of the tests in a file that run everywhere. */
export function titlesIn(path: string, text: string): string[] {
  const titles: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const [name, ...modifiers] = namesOf(callee)
      const isSkipped = modifiers.some((one) => /^(skip|skipIf|runIf|todo|fails)$/.test(one))
      if (name !== 'test' || isSkipped || title?.type !== 'Literal' || typeof title.value !== 'string') return
      titles.push(title.value)
    },
  }).visit(parseSync(path, text).program)
  return titles
}

function testProblem({ file, title }: NamedTest): string | null {
  const path = join(root, file)
  if (!existsSync(path)) return `there is no file ${file}`
  return titlesIn(file, readFileSync(path, 'utf8')).includes(title) ? null : `${file} has no test '${title}'`
}

const rules = new Map(axe.getRules().map((rule) => [rule.ruleId, rule]))

/** Why a rule of axe says nothing about a criterion; null if it does. */
export function ruleProblem(number: Criterion['number'], id: string): string | null {
  const rule = rules.get(id)
  if (!rule) return `${number}: axe has no rule ${id}`
  const isOfCriterion = rule.tags.includes(`wcag${number.replaceAll('.', '')}`)
  if (!isOfCriterion) return `${number}: the rule ${id} is about something else`
  const isUsual = rule.enabled && !rule.tags.some((tag) => tag === 'experimental' || tag === 'deprecated')
  const isRun = axeOptions.runOnly === undefined && (axeOptions.rules?.[id]?.enabled ?? isUsual)
  return isRun ? null : `${number}: the tests do not run the rule ${id}`
}

const problems = [
  ...Object.values(tests).map(testProblem),
  ...criteria.flatMap(({ number, axe: named = [] }) => named.map((id) => ruleProblem(number, id))),
]
if (import.meta.main)
  reportProblems(
    'accessibility statement',
    problems.filter((problem) => problem !== null),
  )
