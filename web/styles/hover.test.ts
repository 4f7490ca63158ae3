import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')

/** Rules with `:hover` outside of `@media (hover: hover)`; `:not(:hover)` hides what nobody points at. */
function hoverRulesForAll(css: string): string[] {
  const found: string[] = []
  const open: string[] = []
  for (const [, before = '', brace] of css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{}]*)([{}])/g)) {
    if (brace === '}') open.pop()
    else {
      const rule = before.slice(before.lastIndexOf(';') + 1).trim()
      const isForAll = !open.some((outer) => outer.includes('(hover: hover)'))
      if (isForAll && rule.replaceAll(/:not\([^)]*:hover/g, '').includes(':hover')) found.push(rule)
      open.push(rule)
    }
  }
  return found
}

test('styles of hovering are only where a pointer hovers: a finger would leave them behind', () => {
  expect(hoverRulesForAll('a:hover { b: c } @media (hover: hover) { a:hover { b: c } }')).toEqual(['a:hover'])
  const files = globSync('{features,guest,styles,ui}/**/*.css', { cwd: web })
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap((file) => hoverRulesForAll(readFileSync(join(web, file), 'utf8')))).toEqual([])
})
