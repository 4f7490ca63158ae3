/** What is counted of a photo; contract/insights.ts. */
export type Counted = 'scans' | 'views' | 'downloads' | 'requests'

/** Counts what guests do with a photo: at once, in memory, never failing whoever it counts. */
export interface Counts {
  add(photo: { photoId: string; userId: string }, ...what: Counted[]): void
  /** Writes what this node holds, for those who read right after. Never rejects. */
  flush(): Promise<void>
}
