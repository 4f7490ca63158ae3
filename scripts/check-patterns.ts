/**
 * Checks that no regular expression takes more than linear time: with one of quadratic time, a text of 100 KB stops the program for seconds.
 * Reported are a repetition that begins at each place of a run of what it repeats (`Move`; a lookbehind prevents it), neighbours that
 * share a run (`Trade`), and nested repetitions (`Self`). Tests, and expressions that are put together when the program runs, are left out.
 */
import { RegExpParser } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import { parseSync, Visitor } from 'vite'
import { isTest, reportProblems, sourceFiles } from './source-files.ts'

const parser = new RegExpParser()

function problemsOf(pattern: string, flags = ''): string[] {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const literal = {
    pattern: parser.parsePattern(pattern, undefined, undefined, modes),
    flags: parser.parseFlags(flags),
  }
  return analyse(literal).reports.map(({ type }) => `/${pattern}/${flags} (${type})`)
}

const problems = sourceFiles(/^(contract|client|server|web|scripts)\//).flatMap(({ path, text }) => {
  if (isTest(path)) return []
  const found: string[] = []
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(...problemsOf(node.regex.pattern, node.regex.flags))
    },
    // A field of an endpoint.
    Property({ key, value }) {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern' && value.type === 'Literal'
      if (isPattern && typeof value.value === 'string') found.push(...problemsOf(value.value))
    },
  }).visit(parseSync(path, text).program)
  return found.map((problem) => `${path}: ${problem}`)
})
reportProblems('regular expressions', problems)
