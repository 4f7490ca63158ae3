// Generated from contract/ by scripts/generate-client.ts; run: npm run types

export interface Photo {
  /** 22 letters and digits. */
  id: string
  /** The name of the uploaded file. */
  filename: string
  /** The full-size image, at a signed URL; null until it exists, and while the operator of this site hides the photo. The URL is revoked when the account asks guests for their email, changes its password, or signs out everywhere. */
  b2_url: string | null
  /** The image for screens, a JPEG of at most 2,048 pixels, at a signed URL that is null and revoked as b2_url is; of animations and of pictures with transparency, the full-size image. */
  screen_url: string | null
  /** A WebP, 480 pixels on its long side, at a public URL; null until it exists, and while the operator of this site hides the photo. */
  thumbnail_url: string | null
  /** The QR code for downloading the photo, as a PNG; with .svg at the end, as an SVG. Works before the photo is ready. */
  qr_code_url: string
  /** The QR code for requesting the photo by email, in the same formats. */
  email_qr_code_url: string
  /** When it was uploaded. */
  created_at: string
  /** True while processing is neither complete nor failed. */
  processing: boolean
  /** True when the image and its thumbnail are ready. */
  processing_complete: boolean
  /** True when the photo could not be processed. */
  processing_failed: boolean
  /** Why processing failed, as a sentence for people; otherwise null. */
  error_message: string | null
  /** True when trying again can help; the web app offers it for seven days. */
  can_retry: boolean
  /** In pixels, after rotation; null until it is known. */
  width: number | null
  /** In pixels, after rotation; null until it is known. */
  height: number | null
  /** A blurred placeholder as ThumbHash in base64; null until it is known. */
  thumbhash: string | null
  /** True while it is hidden from guests. */
  hidden: boolean
  /** What the operator of this site decided about it last; null if nothing. */
  operator_decision: {
    /** hide: guests cannot open it. show: what an operator had hidden was shown again. */
    decision: 'hide' | 'show'
    /** To the owner; null without one. */
    message: string | null
    /** When it was decided. */
    decided_at: string
  } | null
  /** The size of the full-size image; null until it exists. */
  size_bytes: number | null
  /** The event that it belongs to, or null. Only in accounts that have events. */
  event_id?: string | null | undefined
  /** When the camera says that a photo of an event was taken, or null where that is not known. Only in accounts that have events. */
  taken_at?: string | null | undefined
}

export interface PhotoPage {
  /** Newest first. */
  photos: Photo[]
  /** How many there are altogether. */
  total: number
  /** How many of the newest were left out. */
  skip: number
  /** The most that this page can have. */
  limit: number
}

export interface User {
  /** The id of the account. */
  id: string
  /** Only its owner and admins see it. */
  username: string
  /** The address that the account signs in with. */
  email: string
  /** Whether the address was confirmed with the link sent to it. */
  email_verified: boolean
  /** pro for every paid plan. */
  subscription_tier: 'free' | 'pro'
  /** The logo, at a public URL; null without one. */
  logo_url: string | null
  /** What is drawn behind the logo so that it can be seen; null without a logo. */
  logo_grounds: {
    /** In the light theme. */
    light: 'none' | 'paper' | 'ink'
    /** In the dark theme. */
    dark: 'none' | 'paper' | 'ink'
    /** On the big screen. */
    stage: 'none' | 'paper' | 'ink'
  } | null
  /** The image behind the newest photo on the big screen, at a public URL; null without one. */
  background_image_url: string | null
  /** Whether new photos get the logo as a watermark. */
  use_logo_as_watermark: boolean
  /** The size of the watermark on a photo. */
  watermark_size: 'small' | 'medium' | 'large'
  /** Where the watermark is. */
  watermark_corner: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  /** How opaque the watermark is. */
  watermark_strength: 'light' | 'medium' | 'strong'
  /** Whether guests enter an email address before they get a photo. */
  ask_email_to_receive_photo: boolean
  /** The name that guests see, once the address is confirmed; null without one. */
  brand_name: string | null
  /** An IANA time zone, for times in emails and in file names; null for that of the server. */
  time_zone: string | null
  /** The language of emails to the user: `en`, `nl`, `fr` or `de`; null while unknown, which means English. */
  language: 'en' | 'nl' | 'fr' | 'de' | null
  /** After how many minutes without a new photo the big screen shows earlier ones in turn; 0 for never. */
  slow_show_minutes: 0 | 1 | 3 | 5
  /** Whether the owner agreed to marketing emails. */
  allow_marketing_emails: boolean
  /** Whether the owner agreed to promotional emails. */
  allow_promotional_emails: boolean
  /** Whether the owner gets an email before email addresses of guests are removed. */
  allow_request_removal_emails: boolean
  /** Always false for a key. */
  first_visit: boolean
  /** Whether the account may use the page for admins. */
  is_admin: boolean
  /** False for an account that an admin has deactivated. */
  is_active: boolean
  /** When the account was created. */
  created_at: string
  /** When it first got a paid plan; null if never. */
  became_subscriber_at: string | null
  /** Photos that exist now; deleted ones do not count. */
  photo_count: number
  /** The event that new photos go to, or null. Only in accounts that have events. */
  current_event_id?: string | null | undefined
}

export interface Health {
  /** ok, or degraded while the database or the store for photos is down. */
  status: 'ok' | 'degraded'
  /** The time of this answer. */
  timestamp: string
}

export interface AdminUser {
  /** The id of the account. */
  id: string
  /** Only its owner and admins see it. */
  username: string
  /** The address that the account signs in with. */
  email: string
  /** pro for every paid plan. */
  subscription_tier: 'free' | 'pro'
  /** The logo, at a public URL; null without one. */
  logo_url: string | null
  /** The image behind the newest photo on the big screen, at a public URL; null without one. */
  background_image_url: string | null
  /** Whether new photos get the logo as a watermark. */
  use_logo_as_watermark: boolean
  /** Whether guests enter an email address before they get a photo. */
  ask_email_to_receive_photo: boolean
  /** Whether the owner agreed to marketing emails. */
  allow_marketing_emails: boolean
  /** Whether the owner agreed to promotional emails. */
  allow_promotional_emails: boolean
  /** Whether the account may use the page for admins. */
  is_admin: boolean
  /** False for an account that an admin has deactivated. */
  is_active: boolean
  /** When the account was created. */
  created_at: string
  /** When it first got a paid plan; null if never. */
  became_subscriber_at: string | null
  /** Photos that exist now; deleted ones do not count. */
  photo_count: number
}

export interface AdminUserPage {
  /** Newest first. */
  users: AdminUser[]
  /** How many there are altogether. */
  total: number
  /** How many of the newest were left out. */
  skip: number
  /** The most that this page can have. */
  limit: number
}

export interface AdminUserDetail {
  /** The id of the account. */
  id: string
  /** Only its owner and admins see it. */
  username: string
  /** The address that the account signs in with. */
  email: string
  /** pro for every paid plan. */
  subscription_tier: 'free' | 'pro'
  /** The logo, at a public URL; null without one. */
  logo_url: string | null
  /** The image behind the newest photo on the big screen, at a public URL; null without one. */
  background_image_url: string | null
  /** Whether new photos get the logo as a watermark. */
  use_logo_as_watermark: boolean
  /** Whether guests enter an email address before they get a photo. */
  ask_email_to_receive_photo: boolean
  /** Whether the owner agreed to marketing emails. */
  allow_marketing_emails: boolean
  /** Whether the owner agreed to promotional emails. */
  allow_promotional_emails: boolean
  /** Whether the account may use the page for admins. */
  is_admin: boolean
  /** False for an account that an admin has deactivated. */
  is_active: boolean
  /** When the account was created. */
  created_at: string
  /** When it first got a paid plan; null if never. */
  became_subscriber_at: string | null
  /** Photos that exist now; deleted ones do not count. */
  photo_count: number
  /** What the user pays for; null without a subscription, also with a complimentary plan. */
  subscription: {
    /** The name of the plan, such as Pro Yearly. */
    plan_name: string
    /** active, or why it is not. */
    status: 'active' | 'past_due' | 'canceled' | 'incomplete'
    /** When the next payment is due, or the subscription ends. */
    current_period_end: string
  } | null
  /** How much of the plan is used. */
  usage: {
    /** Photos uploaded in this calendar month (UTC), deleted ones included. */
    photos_this_month: number
    /** Storage in units of 1024² bytes. */
    storage_used_mb: number
  }
}

export interface AdminStats {
  /** All accounts. */
  total_users: number
  /** Accounts that are not deactivated. */
  active_users: number
  /** Photos that exist now. */
  total_photos: number
  /** All accounts by their tier. */
  subscription_breakdown: {
    /** Accounts on the free plan. */
    free: number
    /** Accounts on a Pro plan. */
    pro: number
  }
  /** What happened lately. */
  recent_activity: {
    /** Photos uploaded in the last 30 days. */
    new_photos_30d: number
  }
}

export interface PhotoReadyEvent {
  /** The type of the event. */
  type: 'photo.ready'
  /** When it happened. */
  timestamp: string
  /** What it is about. */
  data: {
    /** The id of the photo. */
    photo_id: string
    /** The name of the uploaded file. */
    filename: string
    /** When the photo was uploaded. */
    created_at: string
  }
}

export interface PhotoFailedEvent {
  /** The type of the event. */
  type: 'photo.failed'
  /** When it happened. */
  timestamp: string
  /** What it is about. */
  data: {
    /** The id of the photo. */
    photo_id: string
    /** The name of the uploaded file. */
    filename: string
    /** When the photo was uploaded. */
    created_at: string
    /** Why, as a sentence for people. */
    error_message: string
  }
}

export interface PhotoDeletedEvent {
  /** The type of the event. */
  type: 'photo.deleted'
  /** When it happened. */
  timestamp: string
  /** What it is about. */
  data: {
    /** The id of the photo. */
    photo_id: string
    /** The name of the uploaded file. */
    filename: string
  }
}

export interface RequestCreatedEvent {
  /** The type of the event. */
  type: 'request.created'
  /** When it happened. */
  timestamp: string
  /** What it is about. */
  data: {
    /** The id of the photo. */
    photo_id: string
    /** The name of the uploaded file. */
    filename: string
    /** The id of the request. */
    request_id: string
    /** When the guest asked. */
    requested_at: string
  }
}

/** What each call takes and answers. */
export interface Calls {
  /** Upload one photo. Responds once the photo is stored durably; processing follows. Answers as soon as the photo is stored; both QR codes work from then on, and the image is ready about a second later. With wait, the answer comes when processing has ended, or after that many seconds. HDR photos are stored in standard range: a gain map is not kept. Counts as photo access, and as one of the 600 uploads of the account in any 10 minutes. */
  uploadPhoto: {
    query: {
      /** Seconds to wait for the end of processing before the answer. 0 if not given. */
      wait?: number | undefined
      /** The id of the event that the photo belongs to, or none. If it is left out: the event of the key, or the current event when the request begins. A photo whose event is deleted meanwhile is stored without one. */
      event?: string | undefined
    }
    reply: Photo
  }
  /** List photos, newest first. To read all photos, begin without before, and send the header X-Next-Before of each page as before of the next; the last page has none. No photo is repeated or left out while others are added, hidden or deleted. With skip, each photo that is added or deleted between two pages moves the others by one place. */
  listPhotos: {
    query: {
      /** How many of the newest to leave out. 0 if not given. */
      skip?: number | undefined
      /** Only photos older than the one with this id. The id of a deleted photo works for a day. Not together with skip. */
      before?: string | undefined
      /** How many to return at most. 50 if not given. */
      limit?: number | undefined
      /** The id of an event, or none for photos without one. If it is left out: the event of the key, or all photos. */
      event?: string | undefined
    }
    reply: PhotoPage
  }
  /** Get the newest photo that is not hidden from guests; 404 if there is none. */
  getLatestPhoto: {
    query: {
      /** The id of an event, or none for photos without one. If it is left out: the event of the key, or the current event if there is one. */
      event?: string | undefined
    }
    reply: Photo
  }
  /** Get the account that you are signed in to, or that the API key belongs to. The account that the key belongs to. */
  getUser: {
    reply: User
  }
  /** Check whether the service is up. Needs no key. “degraded”: the database or the store for photos is down. */
  getHealth: {
    reply: Health
  }
  /** List the accounts, newest first. */
  listUsers: {
    query: {
      /** How many of the newest to leave out. 0 if not given. */
      skip?: number | undefined
      /** How many to return at most. 50 if not given. */
      limit?: number | undefined
    }
    reply: AdminUserPage
  }
  /** Count accounts and photos. */
  getStats: {
    reply: AdminStats
  }
  /** Get one account with its subscription and usage. */
  getUserDetail: {
    params: {
      /** The id of the account, from the list. */
      user_id: string
    }
    reply: AdminUserDetail
  }
}

/** How each call is sent, and which kind of key it needs. */
export const operations = {
  uploadPhoto: { method: 'POST', path: '/api/upload', key: 'customer' },
  listPhotos: { method: 'GET', path: '/api/photos', key: 'customer' },
  getLatestPhoto: { method: 'GET', path: '/api/photos/latest', key: 'customer' },
  getUser: { method: 'GET', path: '/user/me', key: 'customer' },
  getHealth: { method: 'GET', path: '/health', key: 'none' },
  listUsers: { method: 'GET', path: '/api/admin/users', key: 'admin' },
  getStats: { method: 'GET', path: '/api/admin/stats', key: 'admin' },
  getUserDetail: { method: 'GET', path: '/api/admin/users/:user_id', key: 'admin' },
} as const

/** The codes of errors, each with the status of its answers. */
export const errorStatus = {
  bad_request: 400,
  already_registered: 400,
  unauthorized: 401,
  forbidden: 403,
  password_required: 403,
  confirm_password: 403,
  quota_photos: 403,
  quota_storage: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  event_gone: 409,
  payment_pending: 409,
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
