import { Literal, Object, String, Union } from 'typebox'
import { endpoint } from './endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Whether the service is up.',
  reply: Object({ status: Union([Literal('ok'), Literal('degraded')]), timestamp: String() }),
})
/** For load balancers: 200 when requests may be sent here, 503 otherwise. */
export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  access: 'public',
  summary: 'Whether this node takes requests.',
  reply: Object({
    status: Literal('ready'),
    /** `off`: on a public address without a mail server, so that guests cannot ask for photos by e-mail. */
    mail: Union([Literal('on'), Literal('off')]),
    timestamp: String(),
  }),
})
