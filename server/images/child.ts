import { answerRequests } from './answer.ts'
import { prepareDecoders } from './decoders.ts'
import { render } from './render.ts'
import { warmUp } from './warm-up.ts'

prepareDecoders()
await warmUp()
answerRequests(render, { selfWatchBytes: Number(process.argv[2]) || null })
