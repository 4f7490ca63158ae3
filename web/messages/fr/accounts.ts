import type * as english from '../en/accounts.ts'

export const forgot: typeof english.forgot = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  toLogin: 'Retour à la connexion',
  title: 'Mot de passe oublié',
  heading: 'Mot de passe oublié ?',
  lead: 'Indiquez l’adresse de votre compte. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  submit: 'Envoyer le lien',
  emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
  sent: {
    heading: 'Consultez vos e-mails',
    lead: 'S’il existe un compte pour cette adresse, nous avons envoyé un lien à :',
    hint: 'Le lien fonctionne une seule fois, pendant 30 minutes. Rien reçu ? Vérifiez vos courriers indésirables ou réessayez dans quelques minutes.',
    another: 'Utiliser une autre adresse',
  },
}

export const reset: typeof english.reset = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  toLogin: 'Retour à la connexion',
  reset: {
    title: 'Choisissez un nouveau mot de passe',
    heading: 'Choisissez un nouveau mot de passe',
    lead: 'En le changeant, vous vous déconnectez de tous vos appareils.',
    password: 'Nouveau mot de passe',
    confirm: 'Confirmez le mot de passe',
    submit: 'Enregistrer le mot de passe',
    done: 'Votre mot de passe a été modifié. Vous pouvez vous connecter.',
    invalid: {
      heading: 'Lien non valide',
      missing: 'Le lien est incomplet ou n’est plus valide. Veuillez en demander un nouveau.',
      request: 'Demander un nouveau lien',
    },
  },
}

export const session: typeof english.session = {
  email: 'E-mail',
  password: 'Mot de passe',
  printLine: 'Scannez pour garder cette photo',
  login: {
    title: 'Se connecter',
    heading: 'Bon retour parmi nous',
    submit: 'Se connecter',
    forgot: 'Mot de passe oublié ?',
    newHere: 'Pas encore de compte ?',
    register: 'S’inscrire',
  },
  register: {
    title: 'S’inscrire',
    heading: 'Créez votre premier code',
    lead: (photos) => `${photos} photos par mois, gratuitement. Sans carte bancaire.`,
    confirm: 'Confirmez le mot de passe',
    submit: 'S’inscrire',
    agree: ['En créant un compte, vous acceptez les ', ' et déclarez avoir lu la ', '.'],
    haveAccount: 'Vous avez déjà un compte ?',
    login: 'Se connecter',
    emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
    mismatch: 'Les mots de passe ne correspondent pas',
  },
  rules: {
    length: 'Au moins 8 caractères',
    upper: 'Une majuscule',
    lower: 'Une minuscule',
    number: 'Un chiffre',
    special: 'Un caractère spécial',
  },
  ruleMet: 'respecté : ',
  ruleNotMet: 'manquant : ',
  passwordMessages: {
    length: 'Le mot de passe doit compter au moins 8 caractères',
    upper: 'Le mot de passe doit contenir au moins une majuscule',
    lower: 'Le mot de passe doit contenir au moins une minuscule',
    number: 'Le mot de passe doit contenir au moins un chiffre',
    special: 'Le mot de passe doit contenir au moins un caractère spécial',
  },
  strength: 'Sécurité :',
  commonPassword: 'Beaucoup de gens utilisent ce mot de passe. Choisissez-en un que les autres n’utilisent pas.',
  strengthLabels: ['Très faible', 'Faible', 'Moyenne', 'Élevée', 'Très élevée'],
  errors: {
    network: 'Erreur réseau. Vérifiez votre connexion à Internet.',
    invalid: 'E-mail ou mot de passe incorrect.',
    server: (status) => `Erreur du serveur (${status}). Veuillez réessayer plus tard.`,
    loginFailed: (reason) => `Connexion impossible : ${reason}`,
    unknown: 'Une erreur inconnue s’est produite.',
    registered: 'Un compte existe déjà avec cette adresse e-mail.',
    validation: (first) => `Données non valides : ${first}`,
    checkInput: 'Vérifiez les données saisies',
    registerFailed: 'L’inscription a échoué. Veuillez réessayer.',
  },
}

export const verify: typeof english.verify = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  title: 'Confirmez votre adresse',
  heading: 'Est-ce bien votre adresse ?',
  lead: 'Un clic suffit pour la confirmer.',
  submit: 'Confirmer mon adresse',
  done: {
    heading: 'Votre adresse est confirmée',
    lead: 'L’adresse e-mail de votre compte :',
    settings: 'Ouvrir les paramètres',
    login: 'Se connecter',
  },
  expired: {
    heading: 'Ce lien ne fonctionne plus',
    lead: 'Il a expiré ou a déjà été utilisé. Vous pouvez en demander un nouveau dans les paramètres.',
    settings: 'Ouvrir les paramètres',
  },
}
