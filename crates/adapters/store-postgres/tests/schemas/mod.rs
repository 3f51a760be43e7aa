//! A schema of its own for each test.

use tokio_postgres::NoTls;

/// The name of a schema after the test that runs. There is none of it yet.
pub(crate) async fn emptied(url: &str) -> String {
    let test = std::thread::current().name().unwrap().to_owned();
    let schema: String = format!("test_{test}").chars().take(48).collect();
    execute(url, &format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).await;
    schema
}

/// Has the server do something.
pub(crate) async fn execute(url: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}
