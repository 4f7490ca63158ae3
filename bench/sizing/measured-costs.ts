import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PartResult } from '../results.ts'

const resultsFolder = join(import.meta.dirname, '../results')

/** A committed result of the benchmarks. */
export interface CommittedResult {
  /** Its file, without folder. */
  file: string
  result: PartResult
  /** The median of a measurement; undefined when it has none. */
  find(name: string): number | undefined
  /** The median of a measurement. Throws when it has none. */
  valueOf(name: string): number
}

/** The committed result of a part, or undefined. */
export function findResult(part: string): CommittedResult | undefined {
  const file = readdirSync(resultsFolder).find((name) => name.slice('2026-11-23-00-00-'.length) === `${part}.json`)
  if (file === undefined) return undefined
  const result = JSON.parse(readFileSync(join(resultsFolder, file), 'utf8')) as PartResult // written by results.ts
  const find = (name: string): number | undefined =>
    result.measurements.find((measurement) => measurement.name === name)?.values.median
  return {
    file,
    result,
    find,
    valueOf(name) {
      const found = find(name)
      if (found === undefined) throw new Error(`${file} has no measurement "${name}"`)
      return found
    },
  }
}

/** The committed result of a part. Throws when there is none. */
export function resultOf(part: string): CommittedResult {
  const found = findResult(part)
  if (!found) throw new Error(`bench/results has no result of ${part}; run: npm run bench -- ${part}`)
  return found
}

/** Processor milliseconds and bytes of one unit of work. */
export interface WorkCost {
  program: number
  images: number
  database: number
  walBytes: number
}

export function workCost({ valueOf }: CommittedResult, name: string): WorkCost {
  return {
    program: valueOf(`${name}, CPU of program`),
    images: valueOf(`${name}, CPU of images`),
    database: valueOf(`${name}, CPU of database`),
    walBytes: valueOf(`${name}, write-ahead log`),
  }
}

export const totalMs = ({ program, images, database }: WorkCost): number => program + images + database
