/**
 * Compiles server/images/assembly/scaled.ts to server/images/scaled-module.ts, or with --check says whether that still fits.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './source-files.ts'

const target = join(root, 'server/images/scaled-module.ts')
const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-assembly-'))
const made = join(scratch, 'scaled.wasm')
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '17', '--pedantic']
try {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/assemblyscript/bin/asc.js'), 'server/images/assembly/scaled.ts', '-o', made, ...options],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const lines =
    readFileSync(made)
      .toString('base64')
      .match(/.{1,100}/g) ?? []
  const text = [
    '/** Compiled from assembly/scaled.ts: npm run assembly. */',
    'export const scaledModule = `',
    ...lines,
    '`',
    '',
  ].join('\n')
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('server/images/scaled-module.ts does not fit its source; run: npm run assembly\n')
    process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
