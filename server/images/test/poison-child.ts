/** An image process whose decoder does what its file says: the real one, with a stranger in it. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { answerRequests } from '../answer.ts'
import { prepareDecoders } from '../decoders.ts'
import { files } from '../protocol.ts'
import { render, type Job, type Telling } from '../render.ts'
import { lookAround } from './nosy.ts'

const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000))
const made = { width: 1, height: 1, thumbhash: 'abcd' }
const finished = { type: 'image/jpeg', kept: true, marked: false, untouched: false } as const

async function eat(): Promise<never> {
  const eaten: Buffer[] = []
  for (;;) {
    eaten.push(Buffer.alloc(16 * 1024 * 1024, 1))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Leaves something else than a plain file of its own where the full image should be. */
function plant(telling: Telling, plantIt: () => void): Promise<void> {
  writeFileSync(files.thumbnail, 'thumb')
  plantIt()
  telling.thumbnail(made)
  telling.full(finished)
  return Promise.resolve()
}

const deeds: Record<string, (telling: Telling, words: string) => Promise<unknown>> = {
  segfault: () => (process.kill(process.pid, 'SIGSEGV'), forever()),
  abort: () => process.abort(),
  leave: () => process.exit(0),
  // oxlint-disable-next-line no-constant-condition
  loop: async () => {
    for (;;);
  },
  hang: forever,
  stall: (telling) => (writeFileSync(files.thumbnail, 'thumb'), telling.thumbnail(made), forever()),
  eat,
  chatter: () => (process.stdout.write('hello\nworld\n'), forever()),
  flood: () => (process.stdout.write('x'.repeat(1_000_000)), forever()),
  begin: async (telling, words) => {
    writeFileSync(files.thumbnail, 'thumb')
    telling.thumbnail(made)
    // Once the line is on its way.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await deeds[words]!(telling, '')
  },
  nothing: async (telling) => telling.full(finished),
  lie: async (telling) => (telling.thumbnail(made), telling.full(finished)),
  link: (telling, words) => plant(telling, () => symlinkSync(words, files.full)),
  folder: (telling, words) => {
    const name = words === 'thumb' ? files.thumbnail : files.full
    if (words === 'thumb') writeFileSync(files.full, 'full')
    else writeFileSync(files.thumbnail, 'thumb')
    mkdirSync(name)
    writeFileSync(`${name}/x`, 'x')
    telling.thumbnail(made)
    telling.full(finished)
    return Promise.resolve()
  },
  // As if the file that was handed over were the full image, with another one in its place.
  swap: (telling, words) => {
    writeFileSync(files.thumbnail, 'thumb')
    rmSync(files.input)
    if (words) symlinkSync(words, files.input)
    else writeFileSync(files.input, 'another')
    telling.thumbnail(made)
    telling.full({ ...finished, untouched: true })
    return Promise.resolve()
  },
  empty: (telling) => plant(telling, () => writeFileSync(files.full, '')),
  full: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  bug: () => Promise.reject(new TypeError('a bug of ours')),
  look: async (telling, words) => {
    writeFileSync(files.thumbnail, JSON.stringify(await lookAround(JSON.parse(words))))
    return plantAfter(telling)
  },
}

function plantAfter(telling: Telling): void {
  writeFileSync(files.full, 'full')
  telling.thumbnail(made)
  telling.full(finished)
}

async function poisoned(job: Job, telling: Telling): Promise<void> {
  const [word, deed = '', ...words] = readFileSync(files.input, 'utf8').slice(0, 2000).split(' ')
  if (word !== 'POISON') return render(job, telling)
  await deeds[deed]!(telling, words.join(' '))
}

prepareDecoders()
if (process.argv[2] === 'leave') process.exit()
answerRequests(poisoned, { selfWatchBytes: null })
