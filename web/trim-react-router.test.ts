import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { trimReactRouter } from './trim-react-router.ts'

const component = 'const Form = React$1.forwardRef(() => null);\nForm.displayName = "Form";\n'
const link = 'import { usePrefetchBehavior } from "./ssr/components.js";\nexport const Link = usePrefetchBehavior;\n'

/** Builds an app that imports the link of a React Router whose file `lib.js` has these lines. */
async function buildWith(lines: string): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsnap-test-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const router = join(root, 'react-router', 'dist')
  mkdirSync(join(router, 'ssr'), { recursive: true })
  writeFileSync(join(router, 'ssr', 'components.js'), 'export const usePrefetchBehavior = () => "observer";\n')
  writeFileSync(join(router, 'lib.js'), `import * as React$1 from "react";\n${lines}`)
  const entry = join(root, 'main.js')
  writeFileSync(entry, 'import { Link } from "./react-router/dist/lib.js";\nconsole.log(Link());\n')
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [trimReactRouter()],
    build: { write: false, minify: false, rolldownOptions: { input: entry, external: ['react'] } },
  })
  if (!('output' in result)) throw new Error('one build has one result')
  return result.output[0].code
}

test('code that only the other modes of React Router need is not in the bundle', async () => {
  const code = await buildWith(component + link)
  expect(code).not.toMatch(/Form|observer/)
})

test.each([
  ['calls that create a component or a context', 'const Form = {};\nForm.displayName = "Form";\n' + link],
  ['display names of components', 'const Form = React$1.forwardRef(() => null);\n' + link],
  ['the module that prefetches pages', component + 'export const Link = () => "link";\n'],
])('the build fails when React Router no longer contains %s', async (what, lines) => {
  await expect(buildWith(lines)).rejects.toThrow(`no longer finds in React Router: ${what}. See docs/decisions/`)
})
