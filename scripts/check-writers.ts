/**
 * Checks that each table is written by one folder only. Any feature may read any table. The command `demo` writes what has
 * happened long ago into tables of all features: only into an instance that had no accounts, and that is not on the internet.
 */
import { isTest, report, sourceFiles } from './source-files.ts'

const writes = [
  /(?:insertInto|updateTable|deleteFrom)\('(\w+)(?: as \w+)?'/g,
  /\b(?:insert into|delete from)\s+([a-z_]+)\b/g,
  /\bupdate\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]\w*)?\s+set\b/g,
]
const ownerOf = (path: string): string => /^server\/(features\/[\w-]+|[\w-]+)/.exec(path)?.[1] ?? path

const writers = new Map<string, Map<string, string>>()
for (const { path, text } of sourceFiles(/^server\//)) {
  if (isTest(path) || /^server\/(db|demo)\//.test(path)) continue
  for (const pattern of writes) {
    for (const [, table = ''] of text.matchAll(pattern)) {
      const owners = writers.get(table) ?? new Map<string, string>()
      owners.set(ownerOf(path), path)
      writers.set(table, owners)
    }
  }
}
report(
  'writers',
  [...writers].flatMap(([table, owners]) =>
    owners.size > 1 ? [`${table} is written by ${[...owners.values()].join(' and ')}`] : [],
  ),
)
