import { findingKinds, type FindingKind, type IntegrityFinding } from '@keepsnap/contract/operator-integrity.ts'

/** The result of a full integrity check. `findings` contains only kinds with at least one finding. */
export interface IntegrityReport {
  /** Where it ran. */
  by: 'nightly' | 'operator' | 'command'
  seconds: number
  /** Stored files and their bytes. */
  objects: number
  bytes: number
  /** Files that the database refers to, and how many of them have no checksum because an earlier version stored them. */
  named: number
  withoutChecksum: number
  /** Files whose bytes were read and compared with their checksum. */
  compared: number
  /** Orphaned files that were removed. */
  removed: number
  /** Names in the store that are no keys: how many, and the first of them. Reports of earlier versions lack it. */
  otherNames?: { count: number; examples: string[] }
  findings: IntegrityFinding[]
}

/** How many findings of each kind are kept for repairs; the rest are only counted. */
export const keptFindingsMax = 10_000
const examplesMax = 20

/** Collects problems. */
export interface FindingList {
  add(kind: FindingKind, name: string, shown?: string): void
  /** Problems that were counted elsewhere. */
  addCounted(kind: FindingKind, found: { count: number; examples: readonly string[]; since: Date | null }): void
  /** The names of a kind's first findings, at most `keptFindingsMax`. */
  namesOf(kind: FindingKind): readonly string[]
  findings(): IntegrityFinding[]
}

/** An empty list. */
export function createFindingList(): FindingList {
  const byKind = new Map<FindingKind, { names: string[]; examples: string[]; count: number; since: Date | null }>()
  const entryOf = (kind: FindingKind) => {
    const entry = byKind.get(kind) ?? { names: [], examples: [], count: 0, since: null }
    byKind.set(kind, entry)
    return entry
  }
  return {
    add(kind, name, shown = name) {
      const entry = entryOf(kind)
      entry.count += 1
      if (entry.names.length < keptFindingsMax) entry.names.push(name)
      if (entry.examples.length < examplesMax) entry.examples.push(shown)
    },
    addCounted(kind, { count, examples, since }) {
      if (count === 0) return
      const entry = entryOf(kind)
      entry.count += count
      entry.examples.push(...examples.slice(0, examplesMax - entry.examples.length))
      if (since && (!entry.since || since < entry.since)) entry.since = since
    },
    namesOf: (kind) => byKind.get(kind)?.names ?? [],
    findings: () =>
      findingKinds.flatMap((kind) => {
        const entry = byKind.get(kind)
        if (!entry) return []
        const { count, examples, since } = entry
        return [{ kind, count, examples, since: since?.toISOString() ?? null }]
      }),
  }
}
