/** Direction of imports: the map of ARCHITECTURE.md, enforced. A room imports itself and what stands behind it. */
import { dirname, join } from 'node:path'
import { isTest, report, sourceFiles } from './source-files.ts'

/** A room, and what it may import besides its own files. The first room that fits a file counts. */
const rooms: [room: RegExp, mayImport: RegExp][] = [
  [/^contract\//, /^$/],
  [/^server\/images\//, /^$/],
  [
    /^server\/features\/[\w-]+\//,
    /^(contract\/|server\/(domain|db|jobs|ports|http|live|images|letters)\/|server\/(deps|faults)\.ts$)/,
  ],
  [/^server\/letters\//, /^(contract\/|server\/(domain|db|jobs|ports|live)\/)/],
  [/^server\/domain\//, /^(contract\/|server\/db\/|server\/(deps|faults)\.ts$)/],
  [/^server\/db\//, /^(contract\/|server\/(start-problem|data-folder|log)\.ts$)/],
  [/^server\/ports\//, /^(contract\/|server\/domain\/ids\.ts$|server\/config\.ts$)/],
  [/^server\/jobs\//, /^(contract\/|server\/(domain|db)\/)/],
  [/^server\/live\//, /^(contract\/|server\/(domain|db)\/)/],
  [/^server\/http\//, /^(contract\/|server\/(domain|db|live|ports)\/|server\/(deps|faults|config|start-problem)\.ts$)/],
  [/^server\//, /^(contract|server)\//],
  [/^web\/(ui|lib|messages)\//, /^(contract|web\/(ui|lib|messages|styles|pictures))\//],
  [/^web\/features\/[\w-]+\//, /^(contract|web\/(ui|lib|messages|styles|pictures))\//],
  [/^web\/pages\//, /^(contract|web\/(ui|lib|messages|features|styles|pictures))\//],
  [/^web\//, /^(contract|web)\//],
  [/^(e2e|bench|scripts)\//, /^(contract|server|web|e2e|bench|scripts)\//],
]

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** The project path that an import names; undefined for packages. */
function targetOf(file: string, named: string): string | undefined {
  if (named.startsWith('@keepsnap/')) return named.slice('@keepsnap/'.length)
  return named.startsWith('.') ? join(dirname(file), named) : undefined
}

const homeOf = (path: string, room: RegExp): string => room.exec(path)?.[0] ?? ''

const complaints: string[] = []
for (const { path, text } of sourceFiles(/^(contract|server|web|e2e|bench|scripts)\//)) {
  const rule = rooms.find(([room]) => room.test(path))
  if (!rule || isTest(path)) continue
  const [room, mayImport] = rule
  for (const [, named = ''] of text.matchAll(importPattern)) {
    const target = targetOf(path, named)
    if (target === undefined || target.startsWith(homeOf(path, room)) || mayImport.test(target)) continue
    complaints.push(`${path} may not import ${target}`)
  }
}
report('imports', complaints)
