export * from '#persistence';
