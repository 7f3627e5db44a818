export * from '#domain';
