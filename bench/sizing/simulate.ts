/** What one photo needs of a machine, in processor milliseconds. */
export interface PhotoWork {
  /** Of the load generator on the same machine; 0 for real clients. */
  client: number
  program: number
  images: number
  database: number
}

/** A machine that runs one program. */
export interface SimulatedMachine {
  /** Cores that photos may use: without what guests and sockets use. */
  cores: number
  /** Image processes. */
  imageProcesses: number
  /** Speed of a core; costs are divided by it. */
  speed: number
  /** Speed of a core while others are busy too, as a share: they share memory and caches. */
  busySpeed: number
  /** Programs on it, each with one thread, and the share of their threads that they have for photos. */
  programs: number
  threadShare: number
  /** Waits that need no processor, such as for an object store. */
  waitMs: number
}

export interface Arrival {
  atMs: number
  work: PhotoWork
}

/** Arrivals at given times (an open loop), or a closed loop with a constant number of photos in flight. */
export type Arrivals = { open: Arrival[] } | { closed: { works: PhotoWork[]; inFlight: number } }

export interface SimulatedRun {
  /** From the last byte of each photo until it is shown. */
  latenciesMs: number[]
  /** When the last photo was shown. */
  endMs: number
  /** Share of the cores that was used. */
  use: number
}

/** The stages of a photo, in order; each has its own queue. */
const stages = ['client', 'receive', 'store', 'render', 'finish', 'record'] as const
type Stage = (typeof stages)[number]

interface Task {
  photo: Photo
  stage: Stage
  leftMs: number
}

interface Photo {
  work: PhotoWork
  /** When its last byte has been sent, if nothing waits: most of what comes before rendering is done while bytes arrive. */
  sentAt: number
}

/** Half of what the program and the database do for a photo comes before its rendering or beside it, half after. */
const costOf: Record<Stage, (work: PhotoWork) => number> = {
  client: ({ client }) => client,
  receive: ({ program }) => program / 2,
  store: ({ database }) => database / 2,
  render: ({ images }) => images,
  finish: ({ program }) => program / 2,
  record: ({ database }) => database / 2,
}

/** A queue of tasks that some servers work off in order. `receive` and `finish` are on the one thread of the program. */
const queueOf: Record<Stage, 'client' | 'thread' | 'database' | 'render'> = {
  client: 'client',
  receive: 'thread',
  store: 'database',
  render: 'render',
  finish: 'thread',
  record: 'database',
}
type QueueName = (typeof queueOf)[Stage]
const databaseServers = 16

class Machine {
  readonly machine: SimulatedMachine
  readonly running: Task[] = []
  readonly waiting: Record<QueueName, Task[]> = { client: [], thread: [], database: [], render: [] }
  usedMs = 0

  constructor(machine: SimulatedMachine) {
    this.machine = machine
  }

  add(task: Task): void {
    this.waiting[queueOf[task.stage]].push(task)
    this.startWaiting(queueOf[task.stage])
  }

  private startWaiting(queue: QueueName): void {
    const { programs, imageProcesses } = this.machine
    const servers = { client: 1, thread: programs, database: databaseServers, render: imageProcesses }[queue]
    let busy = this.running.filter(({ stage }) => queueOf[stage] === queue).length
    for (; busy < servers; busy++) {
      const task = this.waiting[queue].shift()
      if (!task) return
      this.running.push(task)
    }
  }

  /** How much slower the cores are now because several are busy. */
  private slowdown(): number {
    return this.running.length > 1 ? this.machine.busySpeed : 1
  }

  /** Milliseconds of work that each running task gets per millisecond. Image processes have the lowest priority. */
  private rates(): number[] {
    const slowdown = this.slowdown()
    return this.shares().map((share) => share * slowdown)
  }

  /** The share of a core that each running task has. */
  private shares(): number[] {
    const { cores, threadShare } = this.machine
    const isRender = ({ stage }: Task): boolean => stage === 'render'
    const others = this.running.filter((task) => !isRender(task)).length
    const forOthers = Math.min(1, cores / Math.max(1, others))
    const leastShare = 0.02
    const left = Math.max(cores * leastShare, cores - others * forOthers)
    const forRenders = Math.min(1, left / Math.max(1, this.running.length - others))
    return this.running.map((task) =>
      isRender(task) ? forRenders : queueOf[task.stage] === 'thread' ? Math.min(forOthers, threadShare) : forOthers,
    )
  }

  /** Works for some time, and returns the tasks that are done. */
  work(ms: number): Task[] {
    const slowdown = this.slowdown()
    for (const [index, rate] of this.rates().entries()) {
      const task = this.running[index]
      if (!task) continue
      task.leftMs -= rate * ms
      this.usedMs += (rate / slowdown) * ms
    }
    const tolerance = 1e-6
    const done = this.running.filter(({ leftMs }) => leftMs <= tolerance)
    for (const task of done) {
      this.running.splice(this.running.indexOf(task), 1)
      this.startWaiting(queueOf[task.stage])
    }
    return done
  }

  /** Milliseconds until the next task is done. */
  untilNext(): number {
    const rates = this.rates()
    return this.running.reduce((least, { leftMs }, index) => Math.min(least, leftMs / (rates[index] ?? 1)), Infinity)
  }
}

/** Simulates the photos of one machine, event by event. */
export function simulate(simulated: SimulatedMachine, arrivals: Arrivals): SimulatedRun {
  const machine = new Machine(simulated)
  const latenciesMs: number[] = []
  const works = 'closed' in arrivals ? arrivals.closed.works : arrivals.open.map(({ work }) => work)
  const times =
    'closed' in arrivals
      ? works.map((_, n) => (n < arrivals.closed.inFlight ? 0 : Infinity))
      : arrivals.open.map(({ atMs }) => atMs)
  let now = 0
  let next = 0
  const startStage = (photo: Photo, stage: Stage): void =>
    machine.add({ photo, stage, leftMs: costOf[stage](photo.work) / simulated.speed })
  const startPhoto = (): void => {
    const work = works[next]
    next += 1
    if (work) startStage({ work, sentAt: now }, 'client')
  }
  const finishTask = ({ photo, stage }: Task): void => {
    const following = stages[stages.indexOf(stage) + 1]
    if (stage === 'client')
      photo.sentAt = now + (costOf.receive(photo.work) + costOf.store(photo.work)) / simulated.speed
    if (following) return startStage(photo, following)
    latenciesMs.push(now - photo.sentAt + simulated.waitMs)
    if ('closed' in arrivals && next < works.length) startPhoto()
  }
  while (latenciesMs.length < works.length) {
    const untilArrival = (times[next] ?? Infinity) - now
    const step = Math.min(machine.untilNext(), untilArrival)
    const done = machine.work(step)
    now += step
    for (const task of done) finishTask(task)
    while (next < works.length && (times[next] ?? Infinity) <= now) startPhoto()
  }
  return { latenciesMs, endMs: now, use: machine.usedMs / (now * simulated.cores) }
}
