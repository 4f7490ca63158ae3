import { answerRequests } from './answer.ts'
import { prepareDecoders } from './decoders.ts'
import { render } from './render.ts'
import { warmUp } from './warm-up.ts'

process.title = 'keepsnap-image'
prepareDecoders()
await warmUp()
if (process.argv[2] === 'leave') process.exit()
answerRequests(render, { selfWatchBytes: Number(process.argv[2]) || null })
