import { measureStatus, photosPerUser, statusConnections, statusUsers } from '../payments/measure-status.ts'
import { measureWebhooks } from '../payments/measure-webhooks.ts'
import type { BenchmarkPart } from '../measurement.ts'
import { callsPerSecond } from '../timed-calls.ts'

export const payments: BenchmarkPart = {
  name: 'payments',
  title: 'The status of a plan, and many webhooks at once',
  method:
    `Status: wrk with ${statusConnections} connections, as many requests as the server can respond to, of one user and of ${statusUsers} users in turn, each with ${photosPerUser} photos and a plan paid with demo payments; ` +
    'the baseline is a bare node:http server that answers the same JSON from memory, without accounts or database. ' +
    'Webhooks: the Stripe double of the tests, a process of its own, has customers who subscribed three months ago, renewed, and then changed, cancelled or ended their subscriptions, with 10 to 12 events each. It sends all their webhooks over 20 connections as fast as they are answered, in a mixed order, ' +
    `and every tenth a second time; the server asks it for the state of each customer. Meanwhile another user makes ${callsPerSecond} calls per second at a constant rate (GET /subscriptions/status and /photos?limit=20 alternately), as right before on the quiet server. ` +
    "Then the database is compared with Stripe's state: events, plans and emails.",
  run: async (options) => [...(await measureStatus(options)), ...(await measureWebhooks(options))],
}
