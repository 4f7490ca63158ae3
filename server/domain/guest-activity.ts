/** What guests do with a photo, as counted for contract/insights.ts. */
export type GuestActivity = 'scans' | 'views' | 'downloads' | 'requests'

/** Counts what guests do. Counting is synchronous and never fails the guest's request. */
export interface GuestActivityCounter {
  add(photo: { photoId: string; userId: string }, ...activities: GuestActivity[]): void
  /** Writes the counts of this node to the database, for a caller that reads them next. Never rejects. */
  flush(): Promise<void>
}
