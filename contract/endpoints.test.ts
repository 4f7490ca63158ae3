import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import * as apiDocs from './api-docs.ts'
import * as accounts from './accounts.ts'
import * as apiKeys from './api-keys.ts'
import * as adminApi from './admin-api.ts'
import * as billing from './billing.ts'
import * as customerApi from './customer-api.ts'
import * as demoCheckout from './demo-checkout.ts'
import * as emailLinks from './email-links.ts'
import * as health from './health.ts'
import * as holds from './holds.ts'
import * as keeping from './keeping.ts'
import * as live from './live.ts'
import * as operator from './operator.ts'
import * as operatorPhotos from './operator-photos.ts'
import * as operatorIntegrity from './operator-integrity.ts'
import * as operatorSupport from './operator-support.ts'
import * as operatorUsers from './operator-users.ts'
import * as photos from './photos.ts'
import * as branding from './branding.ts'
import * as insights from './insights.ts'
import * as privacy from './privacy.ts'
import * as readiness from './readiness.ts'
import * as reports from './reports.ts'
import * as requests from './requests.ts'
import * as security from './security.ts'
import * as settings from './settings.ts'
import * as sharing from './sharing.ts'
import * as site from './site.ts'
import * as support from './support.ts'
import * as webPages from './web-pages.ts'
import * as webhooks from './webhooks.ts'

test('every endpoint of the contract is in the list once', () => {
  const declared = [
    accounts,
    apiDocs,
    apiKeys,
    adminApi,
    billing,
    branding,
    customerApi,
    demoCheckout,
    emailLinks,
    health,
    holds,
    insights,
    keeping,
    live,
    operator,
    operatorPhotos,
    operatorIntegrity,
    operatorSupport,
    operatorUsers,
    photos,
    privacy,
    readiness,
    reports,
    requests,
    security,
    settings,
    sharing,
    site,
    support,
    webPages,
    webhooks,
  ]
    .flatMap((part) => Object.values<unknown>(part))
    .filter((value) => typeof value === 'object' && value !== null && 'method' in value)
  expect(new Set(endpoints)).toEqual(new Set(declared))
  const names = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(names).size).toBe(names.length)
})
