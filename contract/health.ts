import { Literal, Object, String, Union } from 'typebox'
import { endpoint } from './endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Check whether the service is up.',
  reply: Object({ status: Union([Literal('ok'), Literal('degraded')]), timestamp: String() }),
})
/** For load balancers: 200 if this node can take requests, 503 otherwise. */
export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  access: 'public',
  summary: 'Check whether this node accepts requests.',
  reply: Object({
    status: Literal('ready'),
    /**
     * `off`: PUBLIC_URL is public but no mail server is configured, so guests cannot request photos. `waiting`: emails to
     * guests wait, because there is no room for them in the outbox folder.
     */
    mail: Union([Literal('on'), Literal('off'), Literal('waiting')]),
    timestamp: String(),
  }),
})
