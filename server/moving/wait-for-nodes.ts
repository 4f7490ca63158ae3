import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../db/connect.ts'
import { liveNodes, nodeGoneSeconds, type StorageNode, type StoreIds } from './storage-state.ts'
import { StartupError } from '../runtime/startup-error.ts'

const askEveryMs = 250
const reportEveryMs = 10_000
/** Longer than storing or removing files takes, except for the export of a large account to a bucket. */
const waitMaxMs = 30 * 60_000

function problemOf(node: StorageNode, ids: StoreIds): string | undefined {
  if (node.s3 === null) return 'has no settings of a bucket'
  if (node.s3 !== ids.s3) return `uses another bucket (${node.s3})`
  return node.disk === ids.disk ? undefined : 'has another folder of files'
}

/** Refuses to move files beside programs that could not read them in both places. */
export async function refuseOtherNodes(db: Db, ids: StoreIds): Promise<void> {
  const problems = (await liveNodes(db)).flatMap((node) => problemOf(node, ids) ?? [])
  if (problems.length === 0) return
  throw new StartupError(
    `Of the programs that run now, ${problems.length} cannot use both stores: one ${problems[0]}. Give all of them the same S3_ settings and the same folder of files (DATA_DIR), restart them, and run this again. A program that has just ended is forgotten after ${nodeGoneSeconds} s.`,
  )
}

interface WaitOptions {
  generation: number
  reportProgress: (progress: string) => void
  signal: AbortSignal
}

/** Waits until every node uses this generation of the state and has finished what it began under earlier ones. */
export async function waitForNodes(db: Db, { generation, reportProgress, signal }: WaitOptions): Promise<void> {
  const startedAtMs = performance.now()
  let nextReportMs = startedAtMs + reportEveryMs
  for (;;) {
    signal.throwIfAborted()
    const behind = (await liveNodes(db)).filter((node) => node.generation < generation)
    if (behind.length === 0) return
    const nowMs = performance.now()
    if (nowMs - startedAtMs > waitMaxMs)
      throw new StartupError(
        `${behind.length} programs still store files as before. Stop them or wait, and run this again: it continues.`,
      )
    if (nowMs > nextReportMs) {
      nextReportMs = nowMs + reportEveryMs
      reportProgress(`Waiting for ${behind.length} programs to finish what they are storing ...`)
    }
    await wait(askEveryMs)
  }
}
