import { answerRequests } from './answer.ts'
import { prepareDecoders } from './decoders.ts'
import { render } from './render.ts'
import { warmUp } from './warm-up.ts'

process.title = 'keepsnap-image'
// A terminal's Ctrl-C goes to everybody, and so may a service manager's SIGTERM; but photos under way are to be finished.
// The parent ends this process, or the end of its input does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
prepareDecoders()
await warmUp()
if (process.argv[2] === 'leave') process.exit()
answerRequests(render, { selfWatchBytes: Number(process.argv[2]) || null })
