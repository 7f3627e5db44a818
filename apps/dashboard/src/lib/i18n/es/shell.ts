export const shell = {
  nav: {
    main: 'Principal',
    inbox: 'Bandeja',
    board: 'Tablero',
    new: 'Nueva conversación',
    newShort: 'Nueva',
    more: 'Más',
    settings: 'Ajustes',
    skip: 'Ir al contenido',
    back: 'Atrás',
    openCards_one: '{{count}} tarjeta abierta',
    openCards_other: '{{count}} tarjetas abiertas',
  },
  common: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    save: 'Guardar',
    saved: 'Guardado',
    retry: 'Reintentar',
    copy: 'Copiar',
    copied: 'Copiado',
    loading: 'Cargando',
    hide: 'Ocultar',
    showAll: 'Mostrar todo',
    optional: 'opcional',
    unknown: 'desconocida',
    undo: 'Deshacer',
  },
  connection: {
    connecting: 'Conectando',
    live: 'En directo',
    reconnecting: 'Conectando de nuevo',
    stale: 'Sin datos desde las {{time}}',
    offline: 'Sin conexión',
    restored:
      'La base de datos del hub se devolvió a un estado anterior, detectado {{time}}. Lo que tus máquinas aún tenían ha vuelto. Los modos están en el más estricto, y los enlaces e inicios de sesión se renovaron. Mira si ha vuelto un dispositivo que habías revocado.',
    staleLong:
      'No se llega al hub desde las {{time}}. Lo que ves puede estar desfasado; lo que hacen sus agentes no se ve desde aquí. Lo que escribes se conserva.',
    offlineLong:
      'Este dispositivo no tiene red. Lo que hacen los agentes no se ve desde aquí; lo que escribes se conserva y la página se pone al día sola.',
    unreadable: 'El hub habla otra versión que esta página. Recárgala.',
    reload: 'Recargar',
    demo: 'Esto es una demo: los agentes hablan con un modelo de guion; todo lo demás es real.',
    'no-database': 'Sin base de datos',
    noDatabaseLong:
      'El hub no alcanza su base de datos desde las {{time}}. Lo que ves puede estar desfasado; nada se puede cambiar hasta que vuelva, y lo que escribes se conserva.',
    demoShort: 'Demo: un modelo de guion',
    demoFold: 'Ocultar el aviso',
    demoMark: 'Demo',
  },
  certificate: {
    unreadable:
      'No se puede leer el certificado nuevo; el anterior sigue en uso hasta el {{time}}. Archivo: {{file}}',
    'not-a-pair':
      'El certificado nuevo no corresponde a su clave; el anterior sigue en uso hasta el {{time}}. Archivo: {{file}}',
    'other-name':
      'El certificado nuevo es para otro nombre; el anterior sigue en uso hasta el {{time}}. Archivo: {{file}}',
    'not-yet-valid':
      'El certificado nuevo aún no es válido; el anterior sigue en uso hasta el {{time}}. Archivo: {{file}}',
    expired:
      'El certificado ha caducado; el que está en uso acaba el {{time}}. Renuévalo o los navegadores rechazarán esta página. Archivo: {{file}}',
    'ends-soon': 'El certificado acaba pronto: {{time}}. Renueva {{file}}',
  },
  linkAlarm: {
    usedAgain:
      '«{{name}}» intentó usar otra vez un enlace de acceso ya usado ({{time}}). No consiguió nada. Si no fuiste tú, otra persona ha visto el enlace: revisa tus dispositivos.',
    more: '{{count}} más.',
    devices: 'Dispositivos',
    seen: 'Lo he visto',
  },
  states: {
    starting: 'Arrancando',
    running: 'En marcha',
    'waiting-on-you': 'Te espera a ti',
    'waiting-on-agent': 'Espera a un agente',
    'waiting-for-reply': 'Espera tu respuesta',
    idle: 'En reposo',
    done: 'Hecho',
    stuck: 'Estancado',
    failed: 'Fallido',
    asleep: 'Dormido',
    'relay-away': 'Relay ausente',
  },
  modes: {
    running: 'Ya en marcha; ningún modo lo detiene',
    stopRunning: 'Detener el turno',
    label: 'Modo',
    autopilot: 'Autopilot',
    ask: 'Preguntar',
    plan: 'Planificar',
    autopilotMeans:
      'Lee, escribe, ejecuta comandos y sale a la red sin preguntar. Los secretos del hub le siguen cerrados. Sus preguntas te siguen llegando.',
    askMeans:
      'Lee en su carpeta sin preguntar. Escribir, los comandos, la red y todo lo que está fuera de su carpeta esperan tu aprobación.',
    planMeans: 'No cambia nada ni ejecuta nada que cambie algo. Planifica, y tú apruebas el plan.',
    pending: 'Pendiente hasta que el relay lo tenga',
    change: 'Cambiar el modo',
  },
  palette: {
    title: 'Ir o hacer',
    placeholder: 'Buscar conversaciones y acciones',
    conversations: 'Conversaciones',
    actions: 'Acciones',
    nothing: 'Nada coincide.',
    open: 'Buscar',
    themeTo: 'Tema: {{theme}}',
  },
  keys: {
    title: 'Teclas',
    pick: 'elegir o marcar una opción de la tarjeta',
    send: 'enviar la respuesta',
    move: 'tarjeta siguiente y anterior del buzón',
    rows: 'de fila en fila en el tablero',
    search: 'buscar en el tablero',
    palette: 'ir a cualquier sitio o hacer algo',
    help: 'mostrar estas teclas',
  },
  notices: {
    'api-retry': '{{reason}} Se reintenta en {{seconds}} s ({{attempt}} de {{most}}).',
    'begun-anew':
      'El cliente del agente no tiene registro de esta conversación, así que el agente empieza sin lo que se dijo antes.',
    compacted: 'El cliente resumió la conversación anterior para hacer sitio.',
    'reply-cut': 'La conexión se cortó en mitad de la respuesta; el agente sigue desde ahí.',
    'unknown-event': 'El cliente envió algo que esta versión no conoce: {{type}}.',
    'hub-restored':
      'La base de datos del hub se devolvió a un estado anterior. Sigue lo que esta máquina aún tiene de después.',
    'answered-before-restore':
      'El agente había recibido otra respuesta a esto antes de que la base de datos del hub se devolviera a un estado anterior; para él vale aquella.',
    'relay-restarted': 'El relay se reinició, así que el turno se cortó.',
    'process-ended-asking':
      'El proceso del agente terminó. Su pregunta sigue abierta: la respuesta lo reanuda.',
    'journal-damaged':
      'Una parte de lo que esta máquina guarda de esta conversación se dañó o se perdió. Puede faltar aquí algo que dijo el agente, y un mensaje o una respuesta que iba hacia él quizá no le llegó.',
    'journal-full': 'El diario de la máquina está lleno; el agente se detuvo hasta que haya sitio.',
  },
  errors: {
    INVALID: 'El hub no pudo usar lo enviado. {{message}}',
    TOO_LARGE: 'Es demasiado grande para el hub.',
    UNAUTHENTICATED: 'Este dispositivo ya no tiene la sesión iniciada.',
    FORBIDDEN: 'Este dispositivo no puede hacer eso.',
    FORBIDDEN_ORIGIN:
      'El hub no sirve esta dirección. Ábrelo en la dirección que mostró al arrancar.',
    NOT_FOUND: 'Ya no existe.',
    ALREADY_SETTLED: 'Ya estaba resuelto.',
    STALE_VERSION: 'Ha cambiado entretanto.',
    DEADLINE_PASSED: 'El plazo terminó antes de que llegara la respuesta.',
    INVALID_ANSWER: 'La respuesta no encaja con la pregunta. {{message}}',
    BAD_SIGNATURE:
      'El hub no pudo verificar la firma de este dispositivo. Inicia sesión de nuevo en él.',
    PASSKEY_NEEDED: 'Para esto hace falta una llave de acceso tuya.',
    PASSKEY_REFUSED: 'La llave de acceso no se aceptó. {{message}}',
    LINK_SPENT: 'El enlace ya se usó.',
    LINK_EXPIRED: 'El enlace ha caducado.',
    MODE_REFUSED: 'Ese modo no se puede usar aquí. {{message}}',
    QUEUE_FULL: 'La cola de esta conversación está llena. Cancela un mensaje o espera.',
    ALREADY_PICKED_UP: 'El agente ya lo ha recogido.',
    RELAY_AWAY: 'El relay de esta máquina está ausente. Inténtalo cuando vuelva.',
    RATE_LIMITED: 'Demasiadas llamadas en poco tiempo. Espera un momento.',
    UNAVAILABLE:
      'El hub no puede hacerlo ahora; quizá su base de datos no responda. No se cambió nada.',
    INTERNAL: 'El hub tuvo un fallo propio; su registro tiene los detalles. No se cambió nada.',
    unreachable: 'No se puede alcanzar el hub.',
    unreadable:
      'No se pudo leer la respuesta del hub; puede que hub y página sean de versiones distintas.',
    noSuchPage: 'No existe esa página',
    noSuchPageText: 'La dirección puede estar mal escrita o ser de otra versión.',
    page: 'Esta página tuvo un fallo: {{message}}',
    fallbackTitle: 'Esta parte de la página tuvo un fallo',
  },
} as const;
