export * from '#contracts';
