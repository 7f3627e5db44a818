export const shell = {
  nav: {
    main: 'メイン',
    inbox: '受信箱',
    board: 'ボード',
    new: '新しい会話',
    newShort: '新規',
    more: 'その他',
    settings: '設定',
    skip: '本文へ移動',
    back: '戻る',
    openCards_one: '未回答のカード {{count}} 枚',
    openCards_other: '未回答のカード {{count}} 枚',
  },
  common: {
    cancel: 'キャンセル',
    close: '閉じる',
    save: '保存',
    saved: '保存しました',
    retry: '再試行',
    copy: 'コピー',
    copied: 'コピーしました',
    loading: '読み込み中',
    hide: '隠す',
    showAll: 'すべて表示',
    optional: '任意',
    unknown: '不明',
    undo: '元に戻す',
  },
  connection: {
    connecting: '接続中',
    live: 'ライブ',
    reconnecting: '再接続中',
    stale: '{{time}} から更新なし',
    offline: 'オフライン',
    restored:
      'ハブのデータベースが以前の状態に戻されました（{{time}} に検出）。マシンに残っていた内容は復元されました。モードは最も厳しいものになり、リンクとサインインは更新されました。取り消したデバイスが戻っていないか確認してください。',
    staleLong:
      '{{time}} からハブにつながりません。表示は古い可能性があり、エージェントの作業はここからは見えません。入力した内容は保持されます。',
    offlineLong:
      'このデバイスはネットワークにつながっていません。エージェントの作業はここからは見えませんが、入力した内容は保持され、つながり次第自動で追いつきます。',
    unreadable: 'ハブとこのページのバージョンが異なります。再読み込みしてください。',
    reload: '再読み込み',
    demo: 'これはデモです。エージェントは台本どおりのモデルと話していますが、それ以外はすべて本物です。',
    'no-database': 'データベースなし',
    noDatabaseLong:
      '{{time}} からハブがデータベースに接続できません。表示は古い可能性があります。復旧するまで変更はできませんが、入力した内容は保持されます。',
    demoShort: 'デモ：台本どおりのモデル',
    demoFold: '案内を隠す',
    demoMark: 'デモ',
  },
  certificate: {
    unreadable: '新しい証明書を読めません。{{time}} までは今の証明書を使います。ファイル: {{file}}',
    'not-a-pair':
      '新しい証明書と鍵が対応していません。{{time}} までは今の証明書を使います。ファイル: {{file}}',
    'other-name':
      '新しい証明書は別の名前のものです。{{time}} までは今の証明書を使います。ファイル: {{file}}',
    'not-yet-valid':
      '新しい証明書はまだ有効ではありません。{{time}} までは今の証明書を使います。ファイル: {{file}}',
    expired:
      '証明書は期限切れです。使用中の証明書の期限は {{time}} です。更新しないと、ブラウザーがこのページを拒否します。ファイル: {{file}}',
    'ends-soon': '証明書の期限が近づいています（{{time}}）。{{file}} を更新してください',
  },
  linkAlarm: {
    usedAgain:
      '「{{name}}」が使用済みのサインインリンクをもう一度使おうとしました（{{time}}）。何も許可されていません。心当たりがなければ、リンクを他の人に見られています。デバイスを確認してください。',
    more: 'ほかに{{count}}件。',
    devices: 'デバイス',
    seen: '確認しました',
  },
  states: {
    starting: '起動中',
    running: '実行中',
    'waiting-on-you': 'あなたを待っています',
    'waiting-on-agent': 'エージェント待ち',
    'waiting-for-reply': '返信待ち',
    idle: '待機中',
    done: '完了',
    stuck: '停滞',
    failed: '失敗',
    asleep: 'スリープ',
    'relay-away': 'リレー不在',
  },
  modes: {
    label: 'モード',
    autopilot: 'オートパイロット',
    ask: '確認',
    plan: '計画',
    autopilotMeans:
      '読み取り、書き込み、コマンドの実行、ネットワークへの接続を、許可を求めずに行います。ハブの秘密情報には触れられません。質問はこれまでどおり届きます。',
    askMeans:
      '自分のフォルダー内は許可なしで読みます。書き込み、コマンド、ネットワーク、フォルダー外のものは、すべてあなたの承認を待ちます。',
    planMeans: '何も変更せず、変更につながるものも実行しません。計画を立て、あなたが承認します。',
    pending: 'リレーに届くまで保留中',
    change: 'モードを変更',
  },
  palette: {
    title: '移動と操作',
    placeholder: '会話と操作を検索',
    conversations: '会話',
    actions: '操作',
    nothing: '該当するものがありません。',
    open: '検索',
    themeTo: 'テーマ：{{theme}}',
  },
  keys: {
    title: 'キー',
    pick: 'カードの選択肢を選ぶ・チェックする',
    send: '回答を送る',
    move: '受信箱の次・前のカード',
    rows: 'ボードの行を移動',
    search: 'ボードを検索',
    palette: '移動や操作を探す',
    help: 'このキー一覧を表示',
  },
  notices: {
    'api-retry': '{{reason}} {{seconds}} 秒後に再試行します（{{most}} 回中 {{attempt}} 回目）。',
    'begun-anew':
      'エージェントのクライアントにこの会話の記録がないため、これまでの内容なしで始まります。',
    compacted: 'クライアントが場所を空けるため、以前の会話を要約しました。',
    'reply-cut': '応答の途中で接続が切れました。エージェントはそこから続けます。',
    'unknown-event': 'クライアントが、このバージョンの知らないものを送りました：{{type}}。',
    'hub-restored':
      'ハブのデータベースが以前の状態に戻されました。その後の内容のうち、このマシンに残っているものが続きます。',
    'answered-before-restore':
      'ハブのデータベースが戻される前に、エージェントはこれに別の回答を受け取っており、エージェントにはそちらが有効です。',
    'relay-restarted': 'リレーが再起動したため、ターンが途中で終わりました。',
    'process-ended-asking':
      'エージェントのプロセスが終了しました。質問は開いたままで、回答すると再開します。',
    'journal-damaged':
      'このマシンが保存しているこの会話の一部が壊れたか失われました。エージェントの発言の一部がここにない可能性があり、エージェントへ送信中だったメッセージや回答が届いていない可能性があります。',
    'journal-full':
      'マシンのジャーナルがいっぱいのため、空きができるまでエージェントを止めました。',
  },
  errors: {
    INVALID: 'ハブは送られた内容を扱えませんでした。{{message}}',
    TOO_LARGE: 'ハブには大きすぎます。',
    UNAUTHENTICATED: 'このデバイスはもうサインインしていません。',
    FORBIDDEN: 'このデバイスにはできない操作です。',
    FORBIDDEN_ORIGIN:
      'ハブはこのアドレスでは応答しません。起動時に表示されたアドレスで開いてください。',
    NOT_FOUND: 'もう存在しません。',
    ALREADY_SETTLED: 'すでに決着しています。',
    STALE_VERSION: 'その間に変更されました。',
    DEADLINE_PASSED: '回答が届く前に期限が過ぎました。',
    INVALID_ANSWER: '回答が質問に合っていません。{{message}}',
    BAD_SIGNATURE: 'ハブがこのデバイスの署名を確認できませんでした。サインインし直してください。',
    PASSKEY_NEEDED: 'この操作にはパスキーが必要です。',
    PASSKEY_REFUSED: 'パスキーが受け付けられませんでした。{{message}}',
    LINK_SPENT: 'このリンクは使用済みです。',
    LINK_EXPIRED: 'このリンクは期限切れです。',
    MODE_REFUSED: 'このモードはここでは使えません。{{message}}',
    QUEUE_FULL: 'この会話のキューがいっぱいです。メッセージを取り消すか、お待ちください。',
    ALREADY_PICKED_UP: 'エージェントがすでに受け取りました。',
    RELAY_AWAY: 'このマシンのリレーは不在です。戻ってからもう一度お試しください。',
    RATE_LIMITED: '短時間の呼び出しが多すぎます。少しお待ちください。',
    UNAVAILABLE:
      'ハブは今それを行えません。データベースが応答していない可能性があります。何も変更されていません。',
    INTERNAL: 'ハブ内部で障害が起きました。詳細はログにあります。何も変更されていません。',
    unreachable: 'ハブに接続できません。',
    unreadable:
      'ハブの応答を読み取れませんでした。ハブとページのバージョンが異なる可能性があります。',
    noSuchPage: 'このページはありません',
    noSuchPageText: 'アドレスが間違っているか、別のバージョンのものです。',
    page: 'このページで障害が起きました：{{message}}',
    fallbackTitle: 'ページのこの部分で障害が起きました',
  },
} as const;
