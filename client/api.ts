// Generated from contract/ by scripts/generate-client.ts; run: npm run types

/** A photo as its owner sees it. */
export interface Photo {
  id: string
  filename: string
  /** Signed URL of the full-size image; null until it exists. */
  b2_url: string | null
  /** Public URL of a WebP, 480 px on the long side; null until it exists. */
  thumbnail_url: string | null
  /** URL of the direct-download QR code as PNG; with `.svg` appended, as SVG. */
  qr_code_url: string
  /** URL of the QR code for the request page as PNG; with `.svg` appended, as SVG. */
  email_qr_code_url: string
  /** ISO 8601 in UTC. */
  created_at: string
  /** True while processing is neither complete nor failed. */
  processing: boolean
  processing_complete: boolean
  processing_failed: boolean
  /** Why processing failed, as a sentence for the owner. */
  error_message: string | null
  /** Processing failed, and trying it again can help: the file itself is not at fault and still stored. */
  can_retry: boolean
  /** In pixels, after rotation; null until known. */
  width: number | null
  height: number | null
  /** ThumbHash in base64; null until known. */
  thumbhash: string | null
  /** Whether the owner has hidden it from guests. */
  hidden: boolean
  /** Size of the full-size image in bytes; null until it exists. */
  size_bytes: number | null
}

/** One page of the photos, and how many there are. */
export interface PhotoPage {
  photos: Photo[]
  total: number
  skip: number
  limit: number
}

/** What is drawn behind a logo on pages in the light and in the dark theme, and on the big screen. */
export interface LogoGrounds {
  light: 'none' | 'paper' | 'ink'
  dark: 'none' | 'paper' | 'ink'
  stage: 'none' | 'paper' | 'ink'
}

/** How large the watermark is, from small to large. */
export type WatermarkSize = 'small' | 'medium' | 'large'

/** Where the watermark is. */
export type WatermarkCorner = 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'

/** How opaque the watermark is. */
export type WatermarkStrength = 'light' | 'medium' | 'strong'

/** The signed-in user. Times are ISO 8601 in UTC. */
export interface User {
  id: string
  username: string
  email: string
  /** Whether the user has confirmed the email address with the link sent to it. */
  email_verified: boolean
  subscription_tier: 'free' | 'pro'
  /** Public URL of the logo; null without one. */
  logo_url: string | null
  /** What is drawn behind the logo, so that it can be seen everywhere; null without a logo. */
  logo_grounds: LogoGrounds | null
  /** Public URL of the background image; null without one. */
  background_image_url: string | null
  use_logo_as_watermark: boolean
  watermark_size: WatermarkSize
  watermark_corner: WatermarkCorner
  watermark_strength: WatermarkStrength
  ask_email_to_receive_photo: boolean
  /** The name that guests are shown, once the email address is confirmed; null without one. */
  brand_name: string | null
  /** The IANA time zone of times in emails and of guests' file names; null for the server's. */
  time_zone: string | null
  slow_show_minutes: 0 | 1 | 3 | 5
  allow_marketing_emails: boolean
  allow_promotional_emails: boolean
  /** Whether this is the session that registered, within its first hour. */
  first_visit: boolean
  is_admin: boolean
  is_active: boolean
  created_at: string
  /** When the user first got a paid plan; null if never. */
  became_subscriber_at: string | null
  /** Photos that exist now: accepted and not deleted. */
  photo_count: number
}

/** How the subscription stands: `past_due` while a payment is missing (the plan goes on for some days), `canceled` once it has ended, `incomplete` while the first payment is missing. */
export type SubscriptionState = 'active' | 'past_due' | 'canceled' | 'incomplete'

/** An account, with the fields of. Times are ISO 8601 in UTC. */
export interface AdminUser {
  id: string
  username: string
  email: string
  subscription_tier: 'free' | 'pro'
  logo_url: string | null
  background_image_url: string | null
  use_logo_as_watermark: boolean
  ask_email_to_receive_photo: boolean
  allow_marketing_emails: boolean
  allow_promotional_emails: boolean
  is_admin: boolean
  is_active: boolean
  created_at: string
  became_subscriber_at: string | null
  photo_count: number
}

/** An account with its subscription and how much of its plan is used. Times are ISO 8601 in UTC. */
export interface AdminUserDetail {
  id: string
  username: string
  email: string
  subscription_tier: 'free' | 'pro'
  logo_url: string | null
  background_image_url: string | null
  use_logo_as_watermark: boolean
  ask_email_to_receive_photo: boolean
  allow_marketing_emails: boolean
  allow_promotional_emails: boolean
  is_admin: boolean
  is_active: boolean
  created_at: string
  became_subscriber_at: string | null
  photo_count: number
  /** What the user pays for; null without a subscription, also with a complimentary plan. */
  subscription: {
    plan_name: string
    status: SubscriptionState
    current_period_end: string
  } | null
  /** Of this calendar month (UTC); storage in units of 1024² bytes. */
  usage: {
    photos_this_month: number
    storage_used_mb: number
  }
}

/** Numbers of accounts and photos; `free` and `pro` as `subscription_tier` has them, of all accounts. */
export interface AdminStats {
  total_users: number
  /** Accounts that are not deactivated. */
  active_users: number
  /** Photos that exist now. */
  total_photos: number
  subscription_breakdown: {
    free: number
    pro: number
  }
  recent_activity: {
    new_photos_30d: number
  }
}

/** What each call takes and answers. */
export interface Calls {
  /** Upload one photo. Responds once the photo is stored durably; processing follows. */
  uploadPhoto: {
    query: {
      /** Seconds to wait for the end of processing before the answer. The answer is the same 201 when it has not ended by then. */
      wait?: number | undefined
    }
    reply: Photo
  }
  /** List photos, newest first. */
  listPhotos: {
    query: {
      /** How many of the newest to leave out; 0 if not given. */
      skip?: number | undefined
      /** 50 if not given. */
      limit?: number | undefined
    }
    reply: PhotoPage
  }
  /** Get the newest photo; 404 if there is none. */
  latestPhoto: {
    reply: Photo
  }
  /** Get the signed-in user. */
  currentUser: {
    reply: User
  }
  /** Check whether the service is up. */
  health: {
    reply: {
      status: 'ok' | 'degraded'
      timestamp: string
    }
  }
  /** List the accounts, newest first. */
  listUsers: {
    query: {
      /** How many of the newest to leave out; 0 if not given. */
      skip?: number | undefined
      /** 50 if not given. */
      limit?: number | undefined
    }
    reply: {
      users: AdminUser[]
      total: number
      skip: number
      limit: number
    }
  }
  /** Count accounts and photos. */
  stats: {
    reply: AdminStats
  }
  /** Get one account with its subscription and usage. */
  getUser: {
    params: {
      user_id: string
    }
    reply: AdminUserDetail
  }
}

/** How each call is sent, and which kind of key it needs. */
export const operations = {
  uploadPhoto: { method: 'POST', path: '/api/upload', key: 'customer' },
  listPhotos: { method: 'GET', path: '/api/photos', key: 'customer' },
  latestPhoto: { method: 'GET', path: '/api/photos/latest', key: 'customer' },
  currentUser: { method: 'GET', path: '/user/me', key: 'customer' },
  health: { method: 'GET', path: '/health', key: 'none' },
  listUsers: { method: 'GET', path: '/api/admin/users', key: 'admin' },
  stats: { method: 'GET', path: '/api/admin/stats', key: 'admin' },
  getUser: { method: 'GET', path: '/api/admin/users/:user_id', key: 'admin' },
} as const

/** The codes of errors, each with the status of its answers. */
export const errorStatus = {
  bad_request: 400,
  already_registered: 400,
  unauthorized: 401,
  forbidden: 403,
  password_required: 403,
  quota_photos: 403,
  quota_storage: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  not_an_image: 415,
  misdirected: 421,
  invalid: 422,
  rate_limited: 429,
  processing_limit: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus
