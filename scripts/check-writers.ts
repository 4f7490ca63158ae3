/**
 * Checks that each table is written by one folder only, the one that ARCHITECTURE.md lists. Any feature may read any table. The command `demo`
 * backdates rows in tables of all features: only in an instance that had no accounts, and that is not on the internet.
 */
import { isTest, projectFiles, reportProblems, sourceFiles } from './source-files.ts'

const writes = [
  /(?:insertInto|updateTable|deleteFrom)\('(\w+)(?: as \w+)?'/g,
  /\b(?:insert into|delete from)\s+([a-z_]+)\b/g,
  /\bupdate\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]\w*)?\s+set\b/g,
]
const ownerOf = (path: string): string => /^server\/((?:features|ports)\/[\w-]+|[\w-]+)/.exec(path)?.[1] ?? path

const writers = new Map<string, Map<string, string>>()
for (const { path, text } of sourceFiles(/^server\//)) {
  if (isTest(path) || /^server\/(db|demo-data)\//.test(path)) continue
  for (const pattern of writes) {
    for (const [, table = ''] of text.matchAll(pattern)) {
      const owners = writers.get(table) ?? new Map<string, string>()
      owners.set(ownerOf(path), path)
      writers.set(table, owners)
    }
  }
}

/** The folders of the tables as ARCHITECTURE.md lists them. */
const architecture = projectFiles(/^ARCHITECTURE\.md$/)[0]?.text ?? ''
const tablesSection = /^#### Tables\n(.*?)^#/ms.exec(architecture)?.[1] ?? ''
const listed = [...tablesSection.matchAll(/^\| `server\/([^`]+)\/` \| (.*) \|$/gm)].flatMap(([, folder, tables = '']) =>
  [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => `server/${folder}/: ${table}`),
)
const written = [...writers].flatMap(([table, owners]) =>
  [...owners.keys()].map((owner) => `server/${owner}/: ${table}`),
)
const differences = (some: string[], others: string[]): string[] => some.filter((one) => !others.includes(one))

reportProblems('writers', [
  ...[...writers].flatMap(([table, owners]) =>
    owners.size > 1 ? [`${table} is written by ${[...owners.values()].join(' and ')}`] : [],
  ),
  ...differences(written, listed).map((one) => `ARCHITECTURE.md does not list ${one}`),
  ...differences(listed, written).map((one) => `ARCHITECTURE.md lists ${one}, which no code there writes`),
])
