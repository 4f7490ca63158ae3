import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../../images/test/sample-images.ts'
import { useServer } from '../harness.ts'
import { multipartForm, makeUser } from '../test-data.ts'
import { startServerProcess } from '../server-process.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { scratchFolder } from '../child-processes.ts'

/** Some containers let nobody be traced. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const server = useServer({ LOG_LEVEL: 'silent' })

/** System calls in the order of their ends, as strace writes them down with threads. */
function callsIn(trace: string): string[] {
  const begun = new Map<string, string>()
  const calls: string[] = []
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (text.endsWith('<unfinished ...>')) begun.set(thread, text.slice(0, -'<unfinished ...>'.length).trimEnd())
    else {
      const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
      calls.push(rest === undefined ? text : `${begun.get(thread) ?? ''}${rest}`)
    }
  }
  return calls
}

describe('what was acknowledged survives the loss of power', () => {
  beforeEach(({ skip }) => skip(!canTrace, 'needs strace'))

  test('an upload is on the disk, then in the database, then answered', async () => {
    const trace = join(scratchFolder(onTestFinished), 'trace')
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,read,write,writev,recvfrom,sendto,sendmsg'
    const node = await startServerProcess(onTestFinished, {
      database: server.database,
      dir: server.dir,
      command: ['serve', '--no-work'],
      // -D: the node is our own child, and the tracer beside it.
      before: ['strace', '-D', '-f', '-y', '-s', '120', '-o', trace, '-e', calls],
    })
    const user = await makeUser(server)
    const rounds = 3
    for (let n = 0; n < rounds; n++) {
      const form = multipartForm(await jpeg())
      const answer = await fetch(`${node.address}/photos/upload`, {
        method: 'POST',
        headers: { ...form.headers, authorization: `Bearer ${user.token}` },
        body: Uint8Array.from(form.body),
      })
      expect(answer.status).toBe(201)
    }
    node.child.kill('SIGTERM')
    await node.ended
    const done = callsIn(readFileSync(trace, 'utf8'))
    const after = (pattern: RegExp, from: number): number => {
      const at = done.findIndex((call, index) => index >= from && pattern.test(call))
      expect([pattern, at]).not.toEqual([pattern, -1])
      return at
    }
    const { rows } = await server.app.deps.pool.query<{ key: string }>(
      'select original_key as key from photos order by created_at',
    )
    expect(rows).toHaveLength(rounds)
    const shards = new Set<string>()
    let answered = 0
    for (const { key } of rows) {
      const [, name = ''] = key.split('/')
      const shard = `files/orig/${name.slice(0, 2)}`
      const named = after(new RegExp(`^rename.*/${shard}/${name}".* = 0$`), answered)
      const folders = shards.has(shard) ? [shard] : [shard, 'files/orig', 'files']
      shards.add(shard)
      const synced = [`${shard}/${name}`, ...folders].map((path) =>
        after(new RegExp(`^f(data)?sync\\(\\d+<[^>]*/${path}>\\) += 0$`), named),
      )
      const asked = after(/^(write|sendto|sendmsg|writev)\(.*"Q.*commit/i, Math.max(...synced))
      const committed = after(/^(read|recvfrom)\(.*COMMIT/, asked)
      answered = after(/^(write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 201 Created/, committed)
      const early = done.slice(named, committed).filter((call) => call.includes('HTTP/1.1 201'))
      expect(early).toEqual([])
    }
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})
