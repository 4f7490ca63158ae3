/** What is assumed and not measured. A JSON file with other values can be given to `bench/sizing/main.ts`. */
export interface Assumptions {
  event: EventAssumptions
  day: DayAssumptions
  operation: OperationAssumptions
  prices: Prices
}

/** One event. */
export interface EventAssumptions {
  photos: number
  hours: number
  /** Photos that come one right after the other, on average. */
  burst: number
  /** Share of each kind of file; together 1. */
  mix: Record<PhotoKind, number>
  /** Per photo. */
  scans: number
  downloads: number
  emails: number
  /** Open at the same time, of its host: pages and big screens. */
  bigScreens: number
  otherSockets: number
  /** How often its owner opens a list with all thumbnails. */
  galleryVisits: number
}

/** `watermarked`: 12 MP with a logo, which is re-encoded. */
export type PhotoKind = '12 MP, kept' | '12 MP, watermarked' | '12 MP, HEIC' | '24 MP, kept'

export interface DayAssumptions {
  /** Share of the events of the busiest day that overlap, with 1, 10, 1,000 and 100,000 of them. */
  overlap: Record<number, number>
  /** The peaks of many events do not coincide: photos per hour of all, divided by those of as many average hours. */
  jointPeak: Record<number, number>
  /** Events of an average day, divided by those of the busiest. */
  averageDay: number
  /** How long photos are kept. */
  monthsKept: number
}

export interface OperationAssumptions {
  /** The highest planned use of processors at the peak. */
  mostUse: number
  /** One request to an object store, until its first byte, and how many follow each other before a photo is shown. */
  storeMs: number
  storeSteps: number
  /** Upload of a host, megabits per second. */
  uplinkMbit: number
  /** Processor time of a HEIC photo, by decision 30: decoding, thumbnail and full image. */
  heicImageMs: number
  heicBytes: { uploaded: number; stored: number }
  /** Sent with NOTIFY: three updates of the photo and a job that is to start. */
  notificationsPerPhoto: number
  /** Notifications per second that one PostgreSQL delivers, until `bench -- bus` has measured it. */
  notificationsMost: number
  /** KB of memory of a socket, at least: garbage collection hides most of what `bench -- costs` measures. */
  socketKb: number
  /** ms of CPU per minute of silence of a socket, where `bench -- costs` has not measured it. */
  silentSocketMs: number
}

/** A machine by the month, before tax. */
export interface MachinePrice {
  name: string
  cores: number
  memoryGb: number
  dollars: number
  source: string
}

/** An object store. */
export interface StorePrice {
  name: string
  perGbMonth: number
  /** Of each million. */
  writes: number
  reads: number
  perGbOut: number
  /** Gigabytes out that are free per gigabyte stored and month. */
  freeOutPerGbStored: number
  source: string
}

export interface Prices {
  machines: Record<'small' | 'large' | 'smallAws' | 'largeAws', MachinePrice>
  stores: StorePrice[]
  email: { dollars: number; perGbAttached: number; source: string }
  card: { share: number; dollars: number; source: string }
}

const dollarsPerEuro = 1.1133
const euros = (amount: number): number => Number((amount * dollarsPerEuro).toFixed(2))
const listOfOctober =
  'providers’ price APIs, collected by github.com/moveinfra/eu-cloud-prices on 2026-10-28, 1.1133 $/€'

export const defaultAssumptions: Assumptions = {
  event: {
    photos: 200,
    hours: 5,
    burst: 4,
    mix: {
      '12 MP, kept': 0.51,
      '12 MP, watermarked': 0.2,
      '12 MP, HEIC': 0.04,
      '24 MP, kept': 0.25,
    },
    scans: 1.5,
    downloads: 1,
    emails: 0.15,
    bigScreens: 1,
    otherSockets: 2,
    galleryVisits: 5,
  },
  day: {
    overlap: { 1: 1, 10: 0.8, 1000: 0.6, 100000: 0.6 },
    jointPeak: { 1: 4, 10: 2.5, 1000: 1.6, 100000: 1.5 },
    averageDay: 0.35,
    monthsKept: 12,
  },
  operation: {
    mostUse: 0.5,
    storeMs: 40,
    storeSteps: 3,
    uplinkMbit: 20,
    heicImageMs: 1_630,
    heicBytes: { uploaded: 1_900_000, stored: 3_600_000 },
    notificationsPerPhoto: 4,
    notificationsMost: 5_000,
    socketKb: 30,
    silentSocketMs: 2,
  },
  prices: {
    machines: {
      small: { name: 'Hetzner CCX13', cores: 2, memoryGb: 8, dollars: euros(42.99), source: listOfOctober },
      large: { name: 'Hetzner CCX33', cores: 8, memoryGb: 32, dollars: euros(138.49), source: listOfOctober },
      smallAws: {
        name: 'AWS m6a.large, Frankfurt',
        cores: 2,
        memoryGb: 8,
        dollars: euros(67.86),
        source: listOfOctober,
      },
      largeAws: {
        name: 'AWS m6a.2xlarge, Frankfurt',
        cores: 8,
        memoryGb: 32,
        dollars: euros(271.46),
        source: listOfOctober,
      },
    },
    stores: [
      {
        name: 'Cloudflare R2',
        perGbMonth: 0.015,
        writes: 4.5,
        reads: 0.36,
        perGbOut: 0,
        freeOutPerGbStored: 0,
        source: 'Cloudflare’s documentation (cloudflare-docs, r2/pricing), a stored copy without date',
      },
      {
        name: 'Backblaze B2',
        perGbMonth: 0.006,
        writes: 0,
        reads: 0.4,
        perGbOut: 0.01,
        freeOutPerGbStored: 3,
        source:
          'requests: a stored copy of Backblaze’s page of transaction prices; storage and traffic: assumed, as several articles of 2026 say',
      },
      {
        name: 'AWS S3 Standard',
        perGbMonth: 0.023,
        writes: 5,
        reads: 0.4,
        perGbOut: 0.09,
        freeOutPerGbStored: 0,
        source: 'assumed: us-east-1 as articles of 2026 say; Frankfurt is a little dearer',
      },
    ],
    email: {
      dollars: 0.0001,
      perGbAttached: 0.12,
      source:
        'Amazon SES without a plan, AWS Price List API of 2026-07-22, us-east-1; new accounts pay $0.00016 per email',
    },
    card: {
      share: 0.029,
      dollars: 0.3,
      source: 'Stripe’s pricing page for domestic cards in the USA, as of 2026-09-20',
    },
  },
}
