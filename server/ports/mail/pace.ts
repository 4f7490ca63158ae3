import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

const sliceBytes = 64 * 1024
/** A turn of the event loop that takes longer has others waiting in it. */
const quietMs = 8
const restMostMs = 100

/**
 * The same bytes in small parts, with room for others between them: encoding and sending a photo keeps the event loop busy
 * for tens of milliseconds, and letters can wait where guests cannot. The busier the loop, the longer the pauses.
 */
export async function* paced(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += sliceBytes) {
      yield part.subarray(at, at + sliceBytes)
      const began = performance.now()
      await nextTurn()
      const turnMs = performance.now() - began
      if (turnMs > quietMs) await delay(Math.min(2 * turnMs, restMostMs))
    }
  }
}
