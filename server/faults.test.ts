import { expect, test } from 'vitest'
import { Fault, invalidField, unauthorized } from './faults.ts'

test('a fault has the status of its code, and says when to try again', () => {
  expect(new Fault('rate_limited', 'Too many.', 30)).toMatchObject({
    status: 429,
    retryAfter: 30,
    message: 'Too many.',
  })
  expect(unauthorized()).toMatchObject({ status: 401, retryAfter: undefined })
})

test('an invalid field is named together with the part of the request that contains it', () => {
  expect(invalidField('email', 'Please enter a valid email address')).toMatchObject({
    status: 422,
    detail: [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }],
    message: 'Please enter a valid email address',
  })
  expect(invalidField('tz', 'Unknown', 'query').detail).toEqual([{ loc: ['query', 'tz'], msg: 'Unknown' }])
})
