import { commonPasswordMessage, passwordMessages } from '@keepsnap/contract/form-rules.ts'

/** Asking for a link to set a new password. */
export const forgot = {
  genericError: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  title: 'Forgot password',
  heading: 'Forgot your password?',
  lead: 'Enter the address of your account. We’ll send you a link to set a new one.',
  submit: 'Send the link',
  emailNeeded: 'Please enter an email address, such as name@example.com.',
  sent: {
    heading: 'Check your email',
    lead: 'If an account exists for this address, we’ve sent a link to:',
    hint: 'The link works once, for 30 minutes. Didn’t get it? Check your spam folder or try again in a few minutes.',
    another: 'Use another address',
  },
}

/** The page for setting a new password, opened from an email. */
export const reset = {
  genericError: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  reset: {
    title: 'Set a new password',
    heading: 'Set a new password',
    lead: 'Changing it signs you out on all devices.',
    password: 'New password',
    confirm: 'Confirm password',
    submit: 'Set new password',
    done: 'Your password has been changed. Please sign in.',
    invalid: {
      heading: 'Invalid Reset Link',
      missing: 'Invalid or missing reset token. Please request a new password reset link.',
      request: 'Request a new link',
    },
  },
}

/** Signing in and registering. */
export const session = {
  email: 'Email',
  password: 'Password',
  printLine: 'Scan to keep this photo',
  login: {
    title: 'Sign In',
    heading: 'Welcome back',
    submit: 'Sign In',
    forgot: 'Forgot your password?',
    newHere: 'New here?',
    register: 'Register',
  },
  register: {
    title: 'Register',
    heading: 'Create your first code',
    lead: (photos: number) => `${photos} photos a month, free. No card needed.`,
    confirm: 'Confirm password',
    submit: 'Register',
    agree: ['By creating an account you agree to the ', ' and have read the ', '.'],
    haveAccount: 'Already have an account?',
    login: 'Sign In',
    emailNeeded: 'Please enter an email address, such as name@example.com.',
    mismatch: 'Passwords do not match',
  },
  rules: {
    length: 'At least 8 characters',
    upper: 'One uppercase letter',
    lower: 'One lowercase letter',
    number: 'One number',
    special: 'One special character',
  },
  ruleMet: 'met: ',
  ruleNotMet: 'not met: ',
  passwordMessages,
  strength: 'Strength:',
  commonPassword: commonPasswordMessage,
  strengthLabels: ['Very Weak', 'Weak', 'Medium', 'Strong', 'Very Strong'],
  errors: {
    network: 'Network error. Please check your internet connection.',
    invalid: 'Invalid email or password.',
    server: (status: number) => `Server error (${status}): Server error. Please try again later.`,
    loginFailed: (reason: string) => `Login failed: ${reason}`,
    unknown: 'An unknown error occurred.',
    registered: 'This email is already registered.',
    validation: (first: string) => `Validation error: ${first}`,
    checkInput: 'Please check your input',
    registerFailed: 'Registration failed. Please try again.',
  },
}

/** The page for confirming an email address, opened from an email. */
export const verify = {
  genericError: 'An error occurred. Please try again.',
  title: 'Confirm your address',
  heading: 'Is this your address?',
  lead: 'Click to confirm your address.',
  submit: 'Confirm my address',
  done: {
    heading: 'Your address is confirmed',
    lead: 'Your account’s email address:',
    settings: 'Go to Settings',
    login: 'Sign In',
  },
  expired: {
    heading: 'This link no longer works',
    lead: 'It has expired or has already been used. You can ask for a new one in Settings.',
    settings: 'Go to Settings',
  },
}
